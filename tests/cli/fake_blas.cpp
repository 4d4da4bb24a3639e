// What an OpenBLAS of SciPy's wheels is known by. It computes nothing.

extern "C" {
void scipy_dgemm_() {}
void scipy_dgetrf_() {}
int scipy_openblas_get_num_threads() { return 3; }
const char* scipy_openblas_get_config() { return "OpenBLAS 9.9 DYNAMIC_ARCH MAX_THREADS=64"; }
const char* scipy_openblas_get_corename() { return "Imaginary"; }
}
