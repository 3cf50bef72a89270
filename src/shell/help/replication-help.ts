export const REPLICATION_HELP = `
@add_peer
Starts copying to another cluster.
  hbase> add_peer '1', CLUSTER_KEY => 'zk1,zk2:2181:/hbase'
  hbase> add_peer '2', CLUSTER_KEY => 'zk1:2181:/hbase', STATE => 'DISABLED', NAMESPACES => ['ns1'], TABLE_CFS => {'t1' => ['f1']}
  hbase> add_peer '3', ENDPOINT_CLASSNAME => 'org.example.Endpoint', CONFIG => {'name' => 'value'}

@disable_peer
Stops copying to a peer; later writes wait.
  hbase> disable_peer '1'

@enable_peer
Resumes copying to a peer.
  hbase> enable_peer '1'

@get_peer_config
The configuration of a peer.
  hbase> get_peer_config '1'

@list_peer_configs
The configurations of all peers.

@list_peers
All peers.

@list_replicated_tables
The families that are copied.
  hbase> list_replicated_tables 'abc.*'

@remove_peer
Ends copying to a peer.
  hbase> remove_peer '1'

@set_peer_bandwidth
Limits the bytes a second of a peer; 0: no limit.
  hbase> set_peer_bandwidth '1', 20971520

@set_peer_replicate_all
Whether all tables are copied to a peer, or only those that are named.
  hbase> set_peer_replicate_all '1', true

@set_peer_serial
Whether a peer gets writes in their order.
  hbase> set_peer_serial '1', true

@show_peer_tableCFs
The tables and families that are copied to a peer.
  hbase> show_peer_tableCFs '1'

@update_peer_config
Adds to the configuration of a peer.
  hbase> update_peer_config '1', CONFIG => {'name' => 'value'}, DATA => {'key' => 1}

@enable_table_replication
Copies all families of a table from now on. Makes the table on peers that lack it.
  hbase> enable_table_replication 'table_name'

@disable_table_replication
Stops copying a table.
  hbase> disable_table_replication 'table_name'

@peer_modification_switch
Allows changes of peers, or forbids them; prints the state before. With a second true it waits for changes that are being made.
  hbase> peer_modification_switch false
  hbase> peer_modification_switch false, true

@peer_modification_enabled
Whether peers can be changed.

@set_peer_namespaces
Sets the namespaces that are copied to a peer.
  hbase> set_peer_namespaces '1', ['ns1', 'ns2']

@set_peer_exclude_namespaces
Sets the namespaces that are not copied to a peer.
  hbase> set_peer_exclude_namespaces '1', ['ns1', 'ns2']

@set_peer_tableCFs
Sets the tables and families that are copied to a peer.
  hbase> set_peer_tableCFs '1', {'t1' => ['f1'], 'ns:t2' => []}

@set_peer_exclude_tableCFs
Sets the tables and families that are not copied to a peer.
  hbase> set_peer_exclude_tableCFs '1', {'t1' => ['f1'], 'ns:t2' => []}

@append_peer_namespaces
Adds to the namespaces that are copied to a peer.
  hbase> append_peer_namespaces '1', ['ns1', 'ns2']

@append_peer_exclude_namespaces
Adds to the namespaces that are not copied to a peer.
  hbase> append_peer_exclude_namespaces '1', ['ns1', 'ns2']

@append_peer_tableCFs
Adds to the tables and families that are copied to a peer.
  hbase> append_peer_tableCFs '1', {'t1' => ['f1'], 'ns:t2' => []}

@append_peer_exclude_tableCFs
Adds to the tables and families that are not copied to a peer.
  hbase> append_peer_exclude_tableCFs '1', {'t1' => ['f1'], 'ns:t2' => []}

@remove_peer_namespaces
Removes from the namespaces that are copied to a peer.
  hbase> remove_peer_namespaces '1', ['ns1', 'ns2']

@remove_peer_exclude_namespaces
Removes from the namespaces that are not copied to a peer.
  hbase> remove_peer_exclude_namespaces '1', ['ns1', 'ns2']

@remove_peer_tableCFs
Removes from the tables and families that are copied to a peer.
  hbase> remove_peer_tableCFs '1', {'t1' => ['f1'], 'ns:t2' => []}

@remove_peer_exclude_tableCFs
Removes from the tables and families that are not copied to a peer.
  hbase> remove_peer_exclude_tableCFs '1', {'t1' => ['f1'], 'ns:t2' => []}

@add_labels
Adds visibility labels.
  hbase> add_labels ['SECRET', 'PRIVATE']

@list_labels
The visibility labels, or those that a Java regular expression matches.
  hbase> list_labels
  hbase> list_labels 'secret.*'

@set_auths
Lets a user, or a group, see cells with labels.
  hbase> set_auths 'user1', ['SECRET', 'PRIVATE']
  hbase> set_auths '@group1', 'SECRET'

@get_auths
The labels that a user, or a group, may see.
  hbase> get_auths 'user1'
  hbase> get_auths '@group1'

@clear_auths
Removes labels from those that a user, or a group, may see.
  hbase> clear_auths 'user1', ['SECRET', 'PRIVATE']

@set_visibility
Sets the labels of the cells that a scan finds.
  hbase> set_visibility 't1', 'A|B', {COLUMNS => ['c1', 'c2']}

@list_rsgroups
Groups of region servers: this shell knows only whether the master has them.

@get_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@add_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@remove_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@balance_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@move_servers_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@move_tables_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@move_namespaces_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@move_servers_tables_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@move_servers_namespaces_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@get_server_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@get_table_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@remove_servers_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@rename_rsgroup
Groups of region servers: this shell knows only whether the master has them.

@alter_rsgroup_config
Groups of region servers: this shell knows only whether the master has them.

@show_rsgroup_config
Groups of region servers: this shell knows only whether the master has them.

@get_namespace_rsgroup
Groups of region servers: this shell knows only whether the master has them.
`
