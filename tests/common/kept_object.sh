# A compiler whose objects of Verilator's runtime are kept in a folder, for OBJCACHE of Verilator's makefile:
#     sh kept_object.sh FOLDER COMPILER... -o OBJECT SOURCE
folder=$1
shift
for source; do :; done
case $source in
*/include/verilated*.cpp) ;;
*) exec "$@" ;;
esac
kept=$folder/$(printf '%s' "$*" | cksum | tr ' ' -).o
object=$(basename "$source" .cpp).o
if ! cp "$kept" "$object" 2>/dev/null; then
    "$@" || exit
    cp "$object" "$kept.$$" && mv "$kept.$$" "$kept"
fi
