"""Fetches one pinned wheel with nothing but the standard library.

Usage: fetch_wheel.py NAME FILE_PREFIX SHA256 FOLDER

Serves a python3 that has no pip: it fetches pip's own wheel. The index, further links, certificate and proxy are those
that pip would use (PIP_* variables, then pip's configuration files, then the public index). Prints the file's name.
"""

import base64
import configparser
import functools
import hashlib
import html.parser
import netrc
import os
import ssl
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

DEFAULT_INDEX = "https://pypi.org/simple"


def config_files():
    """pip's configuration files, the strongest first."""
    override = os.environ.get("PIP_CONFIG_FILE")
    if override == os.devnull:
        return []
    home = Path.home()
    config_home = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    config_dirs = (os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")
    files = [Path(override)] if override else []
    files += [Path(sys.prefix) / "pip.conf", config_home / "pip/pip.conf", home / ".pip/pip.conf"]
    if sys.platform == "darwin":
        files += [home / "Library/Application Support/pip/pip.conf", Path("/Library/Application Support/pip/pip.conf")]
    return files + [Path("/etc/pip.conf")] + [Path(d) / "pip/pip.conf" for d in config_dirs]


@functools.lru_cache(maxsize=None)
def configurations():
    parsed = []
    for path in config_files():
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (OSError, UnicodeError, configparser.Error):
            continue
        parsed.append(parser)
    return parsed


def option(name):
    """The value that pip would use for an option of `pip download`; empty if there is none."""
    value = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if value:
        return value
    for parser in configurations():
        for section in ("download", "global"):
            for key in (name, name.replace("-", "_")):
                if parser.has_option(section, key):
                    return parser.get(section, key)
    return ""


def without_secrets(url):
    parts = urllib.parse.urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urllib.parse.urlunsplit(parts._replace(netloc=host))


def open_url(url):
    parts = urllib.parse.urlsplit(url)
    trusted = not {parts.hostname, parts.netloc.rpartition("@")[2]}.isdisjoint(option("trusted-host").split())
    context = ssl._create_unverified_context() if trusted else ssl.create_default_context(cafile=option("cert") or None)
    if option("client-cert"):
        context.load_cert_chain(option("client-cert"))
    proxy = option("proxy")
    if proxy and "://" not in proxy:
        proxy = "http://" + proxy
    handlers = [urllib.request.HTTPSHandler(context=context)]
    handlers.append(urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy else None))
    request = urllib.request.Request(without_secrets(url), headers={"Accept": "text/html"})
    user, password = parts.username, parts.password
    if user is None:
        try:
            user, _, password = netrc.netrc().authenticators(parts.hostname) or (None, None, None)
        except (OSError, netrc.NetrcParseError):
            pass
    if user is not None:
        pair = urllib.parse.unquote(user) + ":" + urllib.parse.unquote(password or "")
        request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
    timeout = float(option("timeout") or option("default-timeout") or 30)
    return urllib.request.build_opener(*handlers).open(request, timeout=timeout)


class Links(html.parser.HTMLParser):
    """Collects the targets of a page's links."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        target = dict(attrs).get("href")
        if tag == "a" and target:
            self.found.append(target)


def page_links(url):
    with open_url(url) as answer:
        # A link relative to the page needs the page's own name and password.
        final = urllib.parse.urlsplit(answer.geturl())
        asked = urllib.parse.urlsplit(url)
        same_host = (final.hostname, final.port) == (asked.hostname, asked.port)
        base = urllib.parse.urlunsplit(final._replace(netloc=asked.netloc) if same_host else final)
        links = Links()
        links.feed(answer.read().decode("utf-8", "replace"))
    return [urllib.parse.urljoin(base, target) for target in links.found]


def candidates(name, prefix):
    """Addresses of wheels whose file name begins with `prefix`, one source after the other."""
    sources = []
    for place in option("find-links").split():
        sources.append(place)
    if option("no-index").lower() not in ("1", "true", "yes", "on"):
        for index in [option("index-url") or DEFAULT_INDEX, *option("extra-index-url").split()]:
            sources.append(index.rstrip("/") + "/" + name + "/")
    for source in sources:
        try:
            if source.startswith(("http://", "https://")):
                links = page_links(source)
            else:
                folder = Path(urllib.request.url2pathname(urllib.parse.urlsplit(source).path)) if source.startswith("file:") else Path(source)
                links = [path.resolve().as_uri() for path in folder.iterdir()] if folder.is_dir() else []
        except (OSError, ValueError) as error:
            print(f"{without_secrets(source)}: {error}", file=sys.stderr)
            continue
        fitting = [link for link in links if urllib.parse.unquote(link.split("#")[0].rsplit("/", 1)[-1]).startswith(prefix)]
        if not fitting:
            print(f"{without_secrets(source)}: no file {prefix}*", file=sys.stderr)
        yield from (link for link in fitting if link.split("#")[0].endswith(".whl"))


def fetch(link):
    if link.startswith("file:"):
        return Path(urllib.request.url2pathname(urllib.parse.urlsplit(link).path)).read_bytes()
    with open_url(link.split("#")[0]) as answer:
        return answer.read()


def main():
    name, prefix, sha256, folder = sys.argv[1:5]
    for link in candidates(name, prefix):
        try:
            content = fetch(link)
        except (OSError, ValueError) as error:
            print(f"{without_secrets(link)}: {error}", file=sys.stderr)
            continue
        if hashlib.sha256(content).hexdigest() != sha256:
            print(f"{without_secrets(link)}: not the pinned file (sha256 differs)", file=sys.stderr)
            continue
        target = Path(folder) / urllib.parse.unquote(link.split("#")[0].rsplit("/", 1)[-1])
        # Written beside the target and renamed, so that a file under its own name is whole.
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".fetch-", delete=False) as partial:
            partial.write(content)
        os.replace(partial.name, target)
        print(target.name)
        return 0
    return 1


sys.exit(main())
