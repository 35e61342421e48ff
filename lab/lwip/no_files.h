// SPDX-License-Identifier: MIT
// Replaces the files that come with lwIP's web server.
#define FS_ROOT ((const struct fsdata_file *)NULL)
