# SPDX-License-Identifier: MIT
"""The web servers of the Debian guest, with the settings that their manuals advise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MODULES = "usr/lib/apache2/modules"
EXTENSIONS = "usr/lib/php"
THREADS = "lib/x86_64-linux-gnu/libgcc_s.so.1"  # loaded by name when a thread ends
FPM, MOD_PHP = "usr/sbin/php-fpm", f"{MODULES}/libphp.so"
WORKERS = 32  # of PHP; each keeps a connection to the database
PHP_EXTENSIONS = ("mysqlnd", "pdo", "pdo_mysql")


@dataclass(frozen=True)
class Server:
    """A server in the guest, and its files. `programs`: by path in the guest, a pattern of the path in the package if
    that contains a version."""

    name: str
    package: str  # its version is the server's
    start: str
    programs: Mapping[str, str]
    settings: Mapping[str, str] = field(default_factory=dict)


INIT = """\
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in {modules}; do insmod /modules/$module.ko; done
ip link set lo up
ip addr add {server}/24 dev eth0
ip link set eth0 up
echo 4096 > /proc/sys/net/core/somaxconn
echo 4096 > /proc/sys/net/ipv4/tcp_max_syn_backlog
chmod 1777 /tmp
ulimit -n 65536
{start}
ping -c 1 {client}
echo; echo ready
exec sleep 1000000
"""
# Settings of nginx's guide for static content.
NGINX = """\
user root;
worker_processes 1;
worker_rlimit_nofile 65536;
error_log /dev/null crit;
events {{ worker_connections 16384; multi_accept on; use epoll; }}
http {{
    types {{ text/html html; }}
    default_type application/octet-stream;
    access_log off;
    server_tokens off;
    sendfile on;
    tcp_nopush on;
    tcp_nodelay on;
    open_file_cache max=1000 inactive=1h;
    open_file_cache_valid 1h;
    keepalive_timeout 600;
    keepalive_requests 100000000;
    reset_timedout_connection on;
    {upstream}
    server {{ listen 80 backlog=4096; root /files; {location} }}
}}
"""
# Settings of nginx's page on FastCGI and kept connections to an upstream.
UPSTREAM = f"upstream php {{ server unix:/run/php.sock; keepalive {WORKERS}; }}"
LOCATION = """location ~ \\.php$ {
        fastcgi_pass php;
        fastcgi_keep_conn on;
        fastcgi_param SCRIPT_FILENAME /files$fastcgi_script_name;
        fastcgi_param QUERY_STRING $query_string;
        fastcgi_param REQUEST_METHOD $request_method;
    }"""
FPM_SETTINGS = f"""\
[global]
error_log = /dev/null
daemonize = yes
[www]
user = www-data
group = www-data
listen = /run/php.sock
listen.mode = 0666
listen.backlog = 4096
pm = static
pm.max_children = {WORKERS}
pm.max_requests = 0
"""
# Settings of php.ini-production that differ from the defaults. The manual's "OPcache" for unchanging files, with its
# compiler to machine code.
PHP = "".join(f"{line}\n" for line in (
    "output_buffering = 4096",
    "register_argc_argv = Off",
    "variables_order = GPCS",
    "expose_php = Off",
    "display_errors = Off",
    "log_errors = Off",
    f"zend_extension = /{EXTENSIONS}/opcache.so",
    "opcache.enable = 1",
    "opcache.memory_consumption = 64",
    "opcache.validate_timestamps = 0",
    "opcache.file_update_protection = 0",
    "opcache.jit = tracing",
    "opcache.jit_buffer_size = 16M",
    *(f"extension = /{EXTENSIONS}/{name}.so" for name in PHP_EXTENSIONS),
))  # fmt: skip
# Settings of the manual's "Performance Tuning" and "Caching Guide".
APACHE = """\
ServerRoot /etc
PidFile /run/apache.pid
ErrorLog /dev/null
DefaultRuntimeDir /run
ServerName localhost
Listen 80
ListenBacklog 4096
{loads}
ServerTokens Prod
{processes}
MaxConnectionsPerChild 0
User www-data
Group www-data
HostnameLookups Off
KeepAlive On
KeepAliveTimeout 600
MaxKeepAliveRequests 0
EnableSendfile On
EnableMMAP On
TypesConfig /dev/null
AddType text/html .html
DocumentRoot /files
<Directory />
    AllowOverride None
    Options FollowSymLinks
    Require all granted
</Directory>
{{cached}}
"""
EVENT = """\
StartServers 1
ServerLimit 4
ThreadsPerChild 64
ThreadLimit 64
MaxRequestWorkers 256"""
# PHP's manual advises against modules with threads. All processes start at the beginning and are kept.
PREFORK = f"""\
StartServers {WORKERS}
MinSpareServers 1
MaxSpareServers {WORKERS}
MaxRequestWorkers {WORKERS}
PHPIniDir /etc
<FilesMatch "\\.php$">
    SetHandler application/x-httpd-php
</FilesMatch>"""


def _nginx(upstream: str = "", location: str = "") -> str:
    return NGINX.format(upstream=upstream, location=location)


def _apache(processes: str, modules: Sequence[str], others: str = "") -> str:
    loads = "\n".join(f"LoadModule {one}_module /{MODULES}/mod_{one}.so" for one in modules)
    return APACHE.format(loads=f"{loads}\n{others}", processes=processes)


def _plain(*paths: str) -> dict[str, str]:
    return {path: path for path in (*paths, THREADS)}


def _modules(*names: str) -> tuple[str, ...]:
    return tuple(f"{MODULES}/mod_{one}.so" for one in names)


_EXTENSIONS = {f"{EXTENSIONS}/{name}.so": f"{EXTENSIONS}/[0-9]*/{name}.so" for name in ("opcache", *PHP_EXTENSIONS)}
_OF_EVENT = ("mpm_event", "authz_core", "dir", "mime", "file_cache")
_OF_PREFORK = ("mpm_prefork", *_OF_EVENT[1:])
NGINX_START, APACHE_START = "/usr/sbin/nginx", "/usr/sbin/apache2 -f /etc/apache.conf"

STATIC: Mapping[str, Server] = {
    "nginx": Server("nginx", "nginx", NGINX_START, _plain("usr/sbin/nginx"), {"etc/nginx/nginx.conf": _nginx()}),
    "Apache": Server(
        "apache",
        "apache2-bin",
        APACHE_START,
        _plain("usr/sbin/apache2", *_modules(*_OF_EVENT)),
        {"etc/apache.conf": _apache(EVENT, _OF_EVENT)},
    ),
}
"""For files alone."""

DYNAMIC: Mapping[str, Server] = {
    "nginx": Server(
        "nginx.php",
        "nginx",
        f"/{FPM} -c /etc/php.ini -y /etc/fpm.conf\n{NGINX_START}",
        {**_plain("usr/sbin/nginx"), FPM: f"{FPM}[0-9]*", **_EXTENSIONS},
        {"etc/nginx/nginx.conf": _nginx(UPSTREAM, LOCATION), "etc/fpm.conf": FPM_SETTINGS, "etc/php.ini": PHP},
    ),
    "Apache": Server(
        "apache.php",
        "apache2-bin",
        APACHE_START,
        {
            **_plain("usr/sbin/apache2", *_modules(*_OF_PREFORK)),
            MOD_PHP: f"{MODULES}/libphp[0-9]*.so",
            **_EXTENSIONS,
        },
        {
            "etc/apache.conf": _apache(PREFORK, _OF_PREFORK, f"LoadModule php_module /{MOD_PHP}"),
            "etc/php.ini": PHP,
        },
    ),
}
"""For files and PHP: nginx with PHP-FPM, Apache with PHP as its module."""
