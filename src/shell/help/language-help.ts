/** The language of the shell in a page, and the references of tables. */

export const LANGUAGE_HELP = `Write names of tables, columns and rows in quotes. Arguments are separated by commas, RETURN runs a line. A hash of options looks so:

  {NAME => 'f', VERSIONS => 3}

Its keys are constants such as NAME, VERSIONS or COMPRESSION, which need no quotes. Bytes that are no text stand in double quotes:

  hbase> get 't1', "key\\x03\\x3f\\xcd"
  hbase> put 't1', "key\\003", 'f1:q', "\\x01\\x33\\x40"

In single quotes a backslash is a backslash. Variables keep values, tables and answers: t = get_table 't1'. Loops, blocks, methods of values
and other Ruby are refused: this shell has no Ruby in it. "exit" ends the shell, "exit 3" with a code.`

export const TABLE_HELP = `A variable can stand for a table:

  hbase> t = create 't1', 'f1'
  hbase> t = get_table 't1'

The commands on data are then its methods, without the table's name:

  hbase> t.put 'r1', 'f1:q', 'v'
  hbase> t.get 'r1'
  hbase> t.scan LIMIT => 10
  hbase> t.count

So are append, delete, deleteall, describe, disable, drop, enable, flush, get_counter, get_splits, incr and snapshot. t.help 'scan' explains
one of them. After t.drop the table of the variable is gone.`
