export const TABLE_COMMANDS_HELP = `
@alter
Changes families or attributes of a table, and waits until all regions have the change.
  hbase> alter 't1', NAME => 'f1', VERSIONS => 5
  hbase> alter 't1', {NAME => 'f1', TTL => 86400}, {NAME => 'f2', METHOD => 'delete'}
  hbase> alter 't1', 'delete' => 'f2'
  hbase> alter 't1', MAX_FILESIZE => '134217728'
  hbase> alter 't1', METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'
  hbase> alter 't1', CONFIGURATION => {'name' => 'value'}, METADATA => {'name' => 'value'}
  hbase> alter 't1', {NAME => 'f1', CONFIGURATION => {'name' => 'value'}}

@alter_async
As alter, without waiting.
  hbase> alter_async 't1', NAME => 'f1', VERSIONS => 5

@alter_status
The number of regions that have the last change of a table.
  hbase> alter_status 't1'

@clone_table_schema
Makes an empty table with the families, attributes and, unless the last argument is false, the regions of another.
  hbase> clone_table_schema 't1', 't2'
  hbase> clone_table_schema 't1', 't2', false

@create
Makes a table: its families by name or as hashes, and its options.
  hbase> create 't1', 'f1', 'f2'
  hbase> create 'ns1:t1', {NAME => 'f1', VERSIONS => 5, COMPRESSION => 'GZ', TTL => 604800}
  hbase> create 't1', 'f1', SPLITS => ['10', '20', '30']
  hbase> create 't1', 'f1', SPLITS_FILE => 'keys.txt', OWNER => 'me'
  hbase> create 't1', 'f1', {NUMREGIONS => 15, SPLITALGO => 'HexStringSplit'}
The algorithms are HexStringSplit, DecimalStringSplit and UniformSplit.

@describe
Prints a table's attributes, families and quotas. desc is the same.
  hbase> describe 't1'

@disable
Takes a table out of service.
  hbase> disable 't1'

@disable_all
Takes all tables out of service whose names match a regular expression, after a question.
  hbase> disable_all 'ns:t.*'

@drop
Deletes a disabled table.
  hbase> drop 't1'

@drop_all
Deletes all disabled tables whose names match a regular expression, after a question.
  hbase> drop_all 'ns:t.*'

@enable
Takes a table into service.
  hbase> enable 't1'

@enable_all
Takes all tables into service whose names match a regular expression, after a question.
  hbase> enable_all 'ns:t.*'

@exists
Whether there is a table.
  hbase> exists 't1'

@get_table
A reference of a table: see help 'table_help'.
  hbase> t = get_table 't1'

@is_disabled
Whether a table is disabled.
  hbase> is_disabled 't1'

@is_enabled
Whether a table is enabled.
  hbase> is_enabled 't1'

@list
The tables, or those whose names match a regular expression.
  hbase> list
  hbase> list 'ns:t.*'

@list_regions
The regions of a table with their servers, keys, sizes and requests; only those of some servers, or some columns.
  hbase> list_regions 't1'
  hbase> list_regions 't1', 'host1'
  hbase> list_regions 't1', {SERVER_NAME => 'host1', LOCALITY_THRESHOLD => 0.8}
  hbase> list_regions 't1', '', ['REGION_NAME', 'SIZE']

@locate_region
The region of a row, and its server.
  hbase> locate_region 't1', 'r1'

@show_filters
The filters that FILTER knows.

@alter_namespace
Changes the properties of a namespace.
  hbase> alter_namespace 'ns1', {METHOD => 'set', 'name' => 'value'}
  hbase> alter_namespace 'ns1', {METHOD => 'unset', NAME => 'name'}

@create_namespace
Makes a namespace.
  hbase> create_namespace 'ns1'
  hbase> create_namespace 'ns1', {'name' => 'value'}

@describe_namespace
Prints the properties of a namespace.
  hbase> describe_namespace 'ns1'

@drop_namespace
Deletes a namespace that has no tables.
  hbase> drop_namespace 'ns1'

@list_namespace
The namespaces, or those whose names match a regular expression.
  hbase> list_namespace
  hbase> list_namespace 'abc.*'

@list_namespace_tables
The tables of a namespace.
  hbase> list_namespace_tables 'ns1'

@clone_snapshot
Makes a table of a snapshot; with RESTORE_ACL it is granted the permissions that the snapshot has kept.
  hbase> clone_snapshot 's1', 't2'
  hbase> clone_snapshot 's1', 't2', {RESTORE_ACL => true}

@delete_all_snapshot
Deletes all snapshots whose names match a regular expression, after a question.
  hbase> delete_all_snapshot 's.*'

@delete_snapshot
Deletes a snapshot.
  hbase> delete_snapshot 's1'

@delete_table_snapshots
Deletes the snapshots of tables, by regular expressions for both, after a question.
  hbase> delete_table_snapshots 't1'
  hbase> delete_table_snapshots 't.*', 's.*'

@list_snapshots
The snapshots, or those whose names match a regular expression.
  hbase> list_snapshots 's.*'

@list_table_snapshots
The snapshots of tables, by regular expressions for both.
  hbase> list_table_snapshots 't1', 's.*'

@restore_snapshot
Gives a disabled table the state of its snapshot; with RESTORE_ACL it is granted the permissions that the snapshot has kept, too.
  hbase> restore_snapshot 's1'
  hbase> restore_snapshot 's1', {RESTORE_ACL => true}

@snapshot
Takes a snapshot of a table.
  hbase> snapshot 't1', 's1'
  hbase> snapshot 't1', 's1', {SKIP_FLUSH => true, TTL => 86400, MAX_FILESIZE => 21474836480}

@disable_exceed_throttle_quota
Users may not go beyond their limits, even while the servers have time for them.

@disable_rpc_throttle
Turns the limits of requests off.

@enable_exceed_throttle_quota
Users may go beyond their limits while the servers have time for them.

@enable_rpc_throttle
Turns the limits of requests on.

@list_quota_snapshots
The space that tables with a quota take, as the master or one server knows it.
  hbase> list_quota_snapshots
  hbase> list_quota_snapshots({TABLE => 't1'})

@list_quota_table_sizes
The sizes of all tables, as the master counts them for quotas.

@list_quotas
The quotas, or those of a user, a table, a namespace.
  hbase> list_quotas
  hbase> list_quotas USER => 'bob.*', TABLE => 't1', LIMIT => 10

@list_snapshot_sizes
The sizes of snapshots, as the master counts them for quotas.

@set_quota
Limits the requests of a user, a table or a namespace, or the space of a table or a namespace; NONE takes a limit away.
  hbase> set_quota TYPE => THROTTLE, USER => 'u1', LIMIT => '10req/sec'
  hbase> set_quota TYPE => THROTTLE, THROTTLE_TYPE => WRITE, TABLE => 't1', LIMIT => '10M/min', SCOPE => CLUSTER
  hbase> set_quota TYPE => THROTTLE, USER => 'u1', LIMIT => NONE
  hbase> set_quota TYPE => SPACE, TABLE => 't1', LIMIT => '1G', POLICY => NO_INSERTS
  hbase> set_quota USER => 'u1', GLOBAL_BYPASS => true
`
