# gpy_fmt: the formatting library as every floor links it. Debian has fmt's compiled code only as a
# shared library, which a carried program must not need, and to compile it in every file that formats
# is half of a build's time. So it is instantiated here once, from the package's headers.
find_package(fmt REQUIRED)

if(fmt_VERSION VERSION_LESS 9 OR fmt_VERSION VERSION_GREATER_EQUAL 10)
  add_library(gpy_fmt INTERFACE)
  target_link_libraries(gpy_fmt INTERFACE fmt::fmt-header-only)
  return()
endif()

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/fmt.cpp CONTENT [[
#include <fmt/format-inl.h>
namespace fmt {
inline namespace v9 {
namespace detail {
template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template locale_ref::locale_ref(const std::locale&);
template std::locale locale_ref::get<std::locale>() const;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, format_args, locale_ref);
}
}
}
]])
add_library(gpy_fmt STATIC ${PROJECT_BINARY_DIR}/fmt.cpp)
get_target_property(fmt_headers fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(gpy_fmt SYSTEM PUBLIC ${fmt_headers})
