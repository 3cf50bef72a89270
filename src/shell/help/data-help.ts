export const DATA_HELP = `
@append
Appends bytes to a cell's value; prints the new one.
  hbase> append 't1', 'r1', 'f:q', 'suffix'
  hbase> append 't1', 'r1', 'f:q', 'suffix', ATTRIBUTES => {'name' => 'value'}

@count
Counts the rows of a table, and prints every thousandth. The servers send a key a row.
  hbase> count 't1'
  hbase> count 't1', INTERVAL => 100000
  hbase> count 't1', STARTROW => 'a', STOPROW => 'b', FILTER => "PrefixFilter('ab')"

@delete
Deletes one version of a cell: the one with the timestamp, or the newest.
  hbase> delete 't1', 'r1', 'f:q'
  hbase> delete 't1', 'r1', 'f:q', 1425447797805

@deleteall
Deletes a row, all versions of a column, or all rows with a prefix; with a timestamp, only versions that are not newer.
  hbase> deleteall 't1', 'r1'
  hbase> deleteall 't1', 'r1', 'f:q'
  hbase> deleteall 't1', 'r1', '', 1425447797805
  hbase> deleteall 't1', {ROWPREFIXFILTER => 'ab', CACHE => 1000}

@get
Prints a row, or some of its columns. A third part of a column's name is the converter that prints its values: toInt, toLong, toShort, toFloat, toDouble,
toBoolean, toString, toHex, toStringBinary. FORMATTER does so for all.
  hbase> get 't1', 'r1'
  hbase> get 't1', 'r1', 'f:a', 'f:b'
  hbase> get 't1', 'r1', ['f:a', 'g:n:toLong']
  hbase> get 't1', 'r1', {COLUMN => 'f:a', VERSIONS => 4, TIMERANGE => [0, 2000]}
  hbase> get 't1', 'r1', {COLUMN => 'f:a', TIMESTAMP => 1000}
  hbase> get 't1', 'r1', {FILTER => "ValueFilter(=, 'binary:abc')", MAXLENGTH => 50}

@get_counter
Prints a cell as a number of 64 bits.
  hbase> get_counter 't1', 'r1', 'f:n'

@get_splits
Prints the keys at which a table is split.
  hbase> get_splits 't1'

@incr
Adds a number, by default 1, to a cell of 64 bits; prints the sum.
  hbase> incr 't1', 'r1', 'f:n'
  hbase> incr 't1', 'r1', 'f:n', 10

@put
Writes a cell. Without a timestamp it has the server's time.
  hbase> put 't1', 'r1', 'f:q', 'value'
  hbase> put 't1', 'r1', 'f:q', 'value', 1425447797805
  hbase> put 't1', 'r1', 'f:q', 'value', {TTL => 60000, ATTRIBUTES => {'name' => 'value'}}

@scan
Prints the rows of a table, or of a part of it.
  hbase> scan 't1'
  hbase> scan 't1', {COLUMNS => ['f:a', 'g'], LIMIT => 10, STARTROW => 'a', STOPROW => 'b'}
  hbase> scan 't1', {ROWPREFIXFILTER => 'ab', REVERSED => true}
  hbase> scan 't1', {TIMERANGE => [1000, 2000], VERSIONS => 5, RAW => true}
  hbase> scan 't1', {FILTER => "PrefixFilter('a') AND ValueFilter(=, 'substring:x')"}
  hbase> scan 't1', {COLUMNS => ['g:n:toLong'], MAXLENGTH => 80, CACHE_BLOCKS => false}
BATCH limits the cells of one result. RAW shows the delete markers, and the cells that they hide.

@truncate
Disables a table and creates it again, empty and with one region.
  hbase> truncate 't1'

@truncate_preserve
As truncate, but keeps the regions.
  hbase> truncate_preserve 't1'

@processlist
HBase shows its tasks by JMX only: this shell does not have the command.

@status
The servers of the cluster and their loads: 'summary', 'simple', 'detailed', or 'replication' with 'source' or 'sink'.
  hbase> status
  hbase> status 'detailed'
  hbase> status 'replication', 'sink'

@version
The version of this shell.

@whoami
The user that the servers see.
`
