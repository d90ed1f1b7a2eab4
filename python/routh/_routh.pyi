# The extension module that cffi makes of the public headers of the library: `ffi` is a cffi.FFI, `lib` has every
# function and constant of include/routh/*.h under its C name.
from typing import Any

ffi: Any
lib: Any
