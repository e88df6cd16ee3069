#pragma once
// Swift's Glibc module does not include this header.
#include <sys/xattr.h>
