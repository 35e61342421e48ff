// SPDX-License-Identifier: MIT
// One file, so that the web server is linked; it is not among the octets that are counted.
static const unsigned char index_html[] = "/index.html\0HTTP/1.0 200 OK\r\n\r\n";
static const struct fsdata_file file_index[] = {{NULL, index_html, index_html + 12, sizeof index_html - 13, 0}};
#define FS_ROOT file_index
#define FS_NUMFILES 1
