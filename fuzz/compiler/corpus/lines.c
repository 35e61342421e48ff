// <generator>
//   <handlers doGet="get"/>
//   <properties persistence="idempotent" content-type="text/html; charset=utf-8"/>
//   <args><!-- a comment --><arg name="q" type="str" size="24" optional="true"/></args>
// </generator>
static const char quote[] = "/* \" */";
char get(struct args_t *args)
{
    return quote[0] == '"' || args->q[0] == '\'';
}
