const REGION = `REGION is the full name of a region, or the 32 digits at its end; list_regions prints them.`

export const ADMINISTRATION_HELP: string = `
@assign
Opens a region on some server. ${REGION}
  hbase> assign 'REGION'

@balance_switch
Turns the balancer on or off; prints the previous state.
  hbase> balance_switch true

@balancer
Runs the balancer. 'force': also while regions are in transition.
  hbase> balancer
  hbase> balancer 'force'

@balancer_enabled
Whether the balancer is on.

@catalogjanitor_enabled
Whether the janitor of hbase:meta is on.

@catalogjanitor_run
Runs the janitor of hbase:meta.

@catalogjanitor_switch
Turns the janitor of hbase:meta on or off; prints the previous state.
  hbase> catalogjanitor_switch true

@cleaner_chore_enabled
Whether the cleaner of old files is on.

@cleaner_chore_run
Runs the cleaner of old files.

@cleaner_chore_switch
Turns the cleaner of old files on or off; prints the previous state.
  hbase> cleaner_chore_switch true

@clear_block_cache
Removes a table's blocks out of the caches of its servers.
  hbase> clear_block_cache 't1'

@clear_compaction_queues
Empties a server's queues of compactions: long, short, or both.
  hbase> clear_compaction_queues 'host,16020,1425447797805', 'long'

@clear_deadservers
Forgets dead servers: the named ones, or all.
  hbase> clear_deadservers 'host,16020,1425447797805'

@clear_slowlog_responses
Empties the slow logs of servers: the named ones, or all.
  hbase> clear_slowlog_responses ['host,16020']

@close_region
An old name of unassign.

@compact
Compacts a table or a region, or a family of it.
  hbase> compact 't1'
  hbase> compact 't1', 'f1'
  hbase> compact 'REGION', nil, 'MOB'

@compact_rs
Compacts all regions of a server; true: to one file each.
  hbase> compact_rs 'host,16020,1425447797805', true

@compaction_state
Whether a table is being compacted: NONE, MINOR, MAJOR or MAJOR_AND_MINOR.
  hbase> compaction_state 't1'

@compaction_switch
Turns compactions of servers on or off: the named ones, or all.
  hbase> compaction_switch true
  hbase> compaction_switch false, 'host,16020'

@decommission_regionservers
Servers take no more regions; true: they give away those that they have.
  hbase> decommission_regionservers ['host,16020'], true

@flush
Writes the memory of a table, a region, a server, or of a family to files.
  hbase> flush 't1'
  hbase> flush 't1', 'f1'
  hbase> flush 'REGION'
  hbase> flush 'host,16020,1425447797805'

@get_balancer_decisions
The last decisions of the balancer.
  hbase> get_balancer_decisions LIMIT => 10

@get_balancer_rejections
The last moves that the balancer has rejected.
  hbase> get_balancer_rejections LIMIT => 10

@get_largelog_responses
How many large requests servers remember; '*': all servers.
  hbase> get_largelog_responses '*', {'TABLE_NAME' => 't1', 'LIMIT' => 10}

@get_slowlog_responses
How many slow requests servers remember; '*': all servers.
  hbase> get_slowlog_responses '*', {'TABLE_NAME' => 't1', 'LIMIT' => 10}

@hbck_chore_run
Lets the master look for inconsistencies.

@is_in_maintenance_mode
Whether the master is in maintenance mode.

@list_deadservers
The dead servers.

@list_decommissioned_regionservers
The servers that take no regions.

@list_liveservers
The live servers.

@major_compact
Compacts a table or a region, or a family of it, to one file each.
  hbase> major_compact 't1'
  hbase> major_compact 't1', 'f1'

@merge_region
Makes one region of two or more, by the digits at the ends of their names; true: even if they are no neighbours.
  hbase> merge_region 'DIGITS', 'DIGITS'
  hbase> merge_region ['DIGITS', 'DIGITS', 'DIGITS'], true

@move
Moves a region to a server, or to one that the balancer chooses. ${REGION}
  hbase> move 'DIGITS', 'host,16020,1425447797805'

@normalize
Splits and merges regions of unusual sizes: of all tables, or of some.
  hbase> normalize
  hbase> normalize TABLE_NAME => 't1'
  hbase> normalize NAMESPACE => 'ns1', REGEX => 't.*'

@normalizer_enabled
Whether the normalizer is on.

@normalizer_switch
Turns the normalizer on or off; prints the previous state.
  hbase> normalizer_switch true

@recommission_regionserver
A decommissioned server takes regions again, those that are named at once.
  hbase> recommission_regionserver 'host,16020', ['DIGITS']

@regioninfo
This shell does not have the command: use locate_region or list_regions.

@rit
The regions in transition.

@snapshot_cleanup_enabled
Whether snapshots whose time is over are deleted.

@snapshot_cleanup_switch
Turns the deletion of snapshots whose time is over on or off; prints the previous state.
  hbase> snapshot_cleanup_switch true

@split
Splits a table or a region, at a key or in halves.
  hbase> split 't1'
  hbase> split 't1', 'key'
  hbase> split 'REGION', 'key'

@splitormerge_enabled
Whether regions are split, or merged.
  hbase> splitormerge_enabled 'SPLIT'

@splitormerge_switch
Turns splits or merges on or off; prints the previous state.
  hbase> splitormerge_switch 'MERGE', false

@stop_master
Stops the master.

@stop_regionserver
Stops a region server.
  hbase> stop_regionserver 'host:16020'

@trace
This shell does not have the command.

@unassign
Closes a region. ${REGION}
  hbase> unassign 'REGION'

@wal_roll
A server begins a new log. hlog_roll is the same.
  hbase> wal_roll 'host,16020,1425447797805'

@zk_dump
This shell does not have the command.

@update_all_config
All servers read their configuration again.

@update_config
A server reads its configuration again.
  hbase> update_config 'host,16020,1425447797805'

@grant
Gives a user rights, of R W X C A: everywhere, in a namespace, a table, a family, a column.
  hbase> grant 'bob', 'RWXCA'
  hbase> grant 'bob', 'RW', '@ns1'
  hbase> grant 'bob', 'RW', 't1', 'f1', 'q1'

@list_security_capabilities
The security features of the master.

@revoke
Revokes the rights of a user: everywhere, in a namespace, a table, a family, a column.
  hbase> revoke 'bob'
  hbase> revoke 'bob', 't1', 'f1'

@user_permission
The rights of users: everywhere, in namespaces, in tables, by a regular expression of their names.
  hbase> user_permission
  hbase> user_permission '@ns1'
  hbase> user_permission '@.*'
  hbase> user_permission 't1'
  hbase> user_permission 't.*'

@list_locks
The locks that procedures of the master hold.

@list_procedures
The procedures of the master.
`
