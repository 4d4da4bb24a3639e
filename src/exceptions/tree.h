#pragma once
// Python's tree of exceptions: member of Types, name, base. Bases come before their children.

// clang-format off
#define GPY_EXCEPTION_TREE(X) \
  X(system_exit, "SystemExit", base_exception) \
  X(keyboard_interrupt, "KeyboardInterrupt", base_exception) \
  X(generator_exit, "GeneratorExit", base_exception) \
  X(exception, "Exception", base_exception) \
  X(stop_iteration, "StopIteration", exception) \
  X(stop_async_iteration, "StopAsyncIteration", exception) \
  X(arithmetic_error, "ArithmeticError", exception) \
  X(assertion_error, "AssertionError", exception) \
  X(attribute_error, "AttributeError", exception) \
  X(buffer_error, "BufferError", exception) \
  X(eof_error, "EOFError", exception) \
  X(import_error, "ImportError", exception) \
  X(lookup_error, "LookupError", exception) \
  X(memory_error, "MemoryError", exception) \
  X(name_error, "NameError", exception) \
  X(os_error, "OSError", exception) \
  X(reference_error, "ReferenceError", exception) \
  X(runtime_error, "RuntimeError", exception) \
  X(syntax_error, "SyntaxError", exception) \
  X(system_error, "SystemError", exception) \
  X(type_error, "TypeError", exception) \
  X(value_error, "ValueError", exception) \
  X(warning, "Warning", exception) \
  X(floating_point_error, "FloatingPointError", arithmetic_error) \
  X(overflow_error, "OverflowError", arithmetic_error) \
  X(zero_division_error, "ZeroDivisionError", arithmetic_error) \
  X(module_not_found_error, "ModuleNotFoundError", import_error) \
  X(index_error, "IndexError", lookup_error) \
  X(key_error, "KeyError", lookup_error) \
  X(unbound_local_error, "UnboundLocalError", name_error) \
  X(blocking_io_error, "BlockingIOError", os_error) \
  X(child_process_error, "ChildProcessError", os_error) \
  X(connection_error, "ConnectionError", os_error) \
  X(file_exists_error, "FileExistsError", os_error) \
  X(file_not_found_error, "FileNotFoundError", os_error) \
  X(interrupted_error, "InterruptedError", os_error) \
  X(is_a_directory_error, "IsADirectoryError", os_error) \
  X(not_a_directory_error, "NotADirectoryError", os_error) \
  X(permission_error, "PermissionError", os_error) \
  X(process_lookup_error, "ProcessLookupError", os_error) \
  X(timeout_error, "TimeoutError", os_error) \
  X(broken_pipe_error, "BrokenPipeError", connection_error) \
  X(connection_aborted_error, "ConnectionAbortedError", connection_error) \
  X(connection_refused_error, "ConnectionRefusedError", connection_error) \
  X(connection_reset_error, "ConnectionResetError", connection_error) \
  X(not_implemented_error, "NotImplementedError", runtime_error) \
  X(recursion_error, "RecursionError", runtime_error) \
  X(indentation_error, "IndentationError", syntax_error) \
  X(tab_error, "TabError", indentation_error) \
  X(unicode_error, "UnicodeError", value_error) \
  X(unicode_decode_error, "UnicodeDecodeError", unicode_error) \
  X(unicode_encode_error, "UnicodeEncodeError", unicode_error) \
  X(unicode_translate_error, "UnicodeTranslateError", unicode_error) \
  X(bytes_warning, "BytesWarning", warning) \
  X(deprecation_warning, "DeprecationWarning", warning) \
  X(encoding_warning, "EncodingWarning", warning) \
  X(future_warning, "FutureWarning", warning) \
  X(import_warning, "ImportWarning", warning) \
  X(pending_deprecation_warning, "PendingDeprecationWarning", warning) \
  X(resource_warning, "ResourceWarning", warning) \
  X(runtime_warning, "RuntimeWarning", warning) \
  X(syntax_warning, "SyntaxWarning", warning) \
  X(unicode_warning, "UnicodeWarning", warning) \
  X(user_warning, "UserWarning", warning)
// clang-format on
