#include "src/diagnostics/explain.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace gpy {

// A code is never reused for something else: people look codes up.
static constexpr Explanation kExplanations[] = {
    {"S01", "shapes that do not broadcast",
     R"(Two arrays go together element by element when their shapes, written below each other with
their last axes aligned, have in each column the same size, or 1, or nothing. The 1s are
stretched.

    a          (3, 4)
    row           (4)     fits: one value for each column
    column     (3, 1)     fits: one value for each row; of an array (3,) it is b[:, None]
    b             (3)     does not: 4 stands above 3
)"},
    {"S02", "matrices whose inner sizes differ",
     R"(A @ B needs as many columns in A as B has rows: (n, k) @ (k, m) is (n, m). An array of one
axis stands for a row on the left and for a column on the right. A.T turns A around.
)"},
    {"S03", "a new shape that takes another number of elements",
     R"(reshape keeps the elements: the product of the sizes must be their number. One size may be -1
and follows from the others, if their product divides it.
)"},
    {"S04", "arrays that cannot be joined",
     R"(concatenate joins along one axis, 0 unless axis= says otherwise; all other axes must have the
same sizes. (2, 3) and (2, 4) join along axis 1, to (2, 7). stack makes a new axis, and needs equal
shapes.
)"},
    {"S05", "an axis that the array does not have",
     R"(Axes are counted from 0, or from the end: -1 is the last. An array of shape (5, 6) has the axes
0 (of size 5) and 1 (of size 6).
)"},
    {"S06", "an index that is not there",
     R"(An axis of size n has the indices 0 to n - 1, and -n to -1 from its end. An array takes at most
one index for each axis; what is left out means all of it.
)"},
    {"B01", "an array where one truth value is needed",
     R"(if, while, and, or, not, and chains such as 0 < a < 1 ask for one truth value. An array has one
for each element.

    (a > 0).any()               is there one?
    (a > 0).all()               are they all?
    (a > 0) & (a < 1)           both, element by element; | for or, ~ for not
    np.where(a > 0, x, y)       x where it holds, y elsewhere
)"},
    {"B02", "& and | bind tighter than comparisons",
     R"(a > 0 & b < 1 reads as a > (0 & b) < 1. Comparisons that are joined by & and | need brackets:
(a > 0) & (b < 1).
)"},
    {"D01", "sizes given one by one",
     R"(zeros, ones, empty and full take the shape as one argument: zeros((3, 4)). What follows is the
dtype. random.rand and random.randn take the sizes one by one.
)"},
    {"D02", "a result that cannot be stored in place",
     R"(a += b keeps a's dtype, so the result must fit into it by the rule 'same_kind': float64 does not
go into int32 without a word. a = a + b makes a new array; a += b.astype(a.dtype) says that the
fraction may go.
)"},
    {"D03", "a number outside a dtype's range",
     R"(An integer dtype of n bits holds 0 to 2**n - 1 without a sign, -2**(n-1) to 2**(n-1) - 1 with
one. Python's numbers are checked against it. astype on an array wraps around.
)"},
    {"L01", "a matrix without an inverse",
     R"(Elimination came to a column that is zero from there on: the rows are not independent. lstsq
gives the x that makes a @ x nearest to b; an error in how the matrix was made is the commoner reason.
)"},
    {"L02", "a matrix without a Cholesky factor",
     R"(cholesky gives the triangle L of a = L @ L.T. There is one where a is symmetric (complex:
hermitian) and positive definite: x @ a @ x > 0 for every x but 0. A leading minor is the determinant
of the first n rows and columns; all of them are positive then. Only the lower triangle is read. A
covariance matrix that rounding spoilt is mended by a little on its diagonal: a + 1e-10 * eye(n).
)"},
    {"P01", "arrays that lie in different places",
     R"(numpy's arrays lie on the host, cupy's on a device, and they do not mix by themselves:
cp.asarray(x) brings one to the device, x.get() to the host. Arrays of gp go with either. Nor do those
of two devices: with cp.cuda.Device(k): y = cp.array(x) is a copy on device k.
)"},
    {"M01", "no memory for an array",
     R"(An array needs its number of elements times the size of its dtype. float32 needs half of float64;
del ends an array that is not needed any more; a loop over parts needs the memory of one part. An
array is computed when its value is needed, so the line that fails may not be the one that made it.
)"},
    {"C01", "a method that was not called",
     R"(a.mean is the method, a.mean() what it gives.
)"},
    {"C02", "a call of what is no function",
     R"(a.shape, a.size, a.ndim, a.dtype and a.T are attributes: they are written without (). A module
holds functions, it is none.
)"},
    {"C03", "a method that changes its object gives None",
     R"(x.sort(), x.append(y), x.reverse() and their like change x and return None. sorted(x) and
np.sort(x) give a new one.
)"},
    {"T01", "text and numbers do not add",
     R"(str(n) is the number as text, int(text) and float(text) the text as a number. f"n = {n}" puts
values into text.
)"},
    {"T02", "a loop over a number",
     R"(for takes what has items. range(n) has 0 to n - 1.
)"},
    {"T03", "a float as an index",
     R"(Indices are ints. / gives a float, 4 / 2 too; // gives an int of ints.
)"}};

std::span<const Explanation> explanations() { return kExplanations; }

const Explanation* explanation_of(std::string_view code) {
  constexpr std::string_view kPrefix = "GPY-";
  std::string wanted(code);
  for (char& c : wanted) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (wanted.starts_with(kPrefix)) wanted.erase(0, kPrefix.size());
  const auto* found = std::find_if(std::begin(kExplanations), std::end(kExplanations),
                                   [&](const Explanation& each) { return each.code == wanted; });
  return found == std::end(kExplanations) ? nullptr : found;
}

}  // namespace gpy
