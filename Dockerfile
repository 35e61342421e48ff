# SPDX-License-Identifier: MIT
# Whit on a system that is not Debian. What else it needs, ./whit installs itself, also later: with --target, or to test.
#
#   docker build --tag whit .
#   docker run --rm -it --publish 127.0.0.1:8080:8080 whit
#   docker run --rm -it --publish 127.0.0.1:8080:8080 --volume "$PWD/apps:/srv/whit/apps" whit ./whit run apps/form --host 0.0.0.0
FROM debian:12-slim
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates git python3
WORKDIR /srv/whit
COPY . .
RUN ./whit build apps/contacts
EXPOSE 8080
CMD ["./whit", "run", "apps/contacts", "--host", "0.0.0.0"]
