list
show_filters.size
create_namespace 'jc_cow', {'OWNER' => 'me'}
describe_namespace 'jc_cow'
alter_namespace 'jc_cow', {METHOD => 'set', 'A' => 'b'}
describe_namespace 'jc_cow'
alter_namespace 'jc_cow', {METHOD => 'unset', NAME => 'A'}
describe_namespace 'jc_cow'
list_namespace
list_namespace 'jc.*'
create 'jc_cow:ADVERTISER', {NAME => 'd', VERSIONS => 10, TTL => 604800, MIN_VERSIONS => 2, COMPRESSION => 'GZ'}, SPLITS => ['1025301', '36578', '65986', '914954', '952259', '999995']
list_namespace_tables 'jc_cow'
describe 'jc_cow:ADVERTISER'
put 'jc_cow:ADVERTISER', 1000117, 'd:m', '{"a": 1}'
put 'jc_cow:ADVERTISER', 1000117, 'd:m', '{"a": 2}'
put 'jc_cow:ADVERTISER', '10', 'd:m', 'ten', 1000
put 'jc_cow:ADVERTISER', '10,77', 'd:m', 'VISIT_WEB', 9999999999999
put 'jc_cow:ADVERTISER', '36578', 'd:m', 'x'
get 'jc_cow:ADVERTISER', 1000117, {COLUMN => 'd:m', VERSIONS => 2}
get 'jc_cow:ADVERTISER', 1000117
get 'jc_cow:ADVERTISER', 1000117, 'd:m'
get 'jc_cow:ADVERTISER', 'none'
scan 'jc_cow:ADVERTISER'
scan 'jc_cow:ADVERTISER', {FILTER => "PrefixFilter('10')", LIMIT => 5}
scan 'jc_cow:ADVERTISER', {FILTER => "PrefixFilter('10') AND KeyOnlyFilter()", LIMIT => 5}
scan 'jc_cow:ADVERTISER', {FILTER => "ValueFilter(=, 'substring:VISIT_WEB')", LIMIT => 5}
scan 'jc_cow:ADVERTISER', {REVERSED => true, LIMIT => 2}
scan 'jc_cow:ADVERTISER', {STARTROW => '2', STOPROW => '4', COLUMNS => ['d:m']}
scan 'jc_cow:ADVERTISER', {RAW => true, VERSIONS => 3}
count 'jc_cow:ADVERTISER'
count 'jc_cow:ADVERTISER', INTERVAL => 2
scan 'hbase:root'
scan 'hbase:meta', {FILTER => "PrefixFilter('jc_cow:ADVERTISER')", COLUMNS => ['info:regioninfo']}
scan 'hbase:meta', {STARTROW => 'jc_cow:ADVERTISER', STOPROW => 'jc_cow:ADVERTISER.', COLUMNS => ['info:regioninfo', 'info:server']}
get_splits 'jc_cow:ADVERTISER'
locate_region 'jc_cow:ADVERTISER', '5'
# A region server tells the master of the loads of its regions every three seconds.
sleep 5
list_regions 'jc_cow:ADVERTISER'
create 'jc_testtable', {NAME => 'colfam1', VERSIONS => 1, TTL => 2592000, BLOCKCACHE => true}
describe 'jc_testtable'
create 'jc_testtable', 'f1'
create 'jc_sp', 'f1', SPLITS => ['a', 'b', 'c']
get_splits 'jc_sp'
create 'jc_hex', 'f1', {NUMREGIONS => 4, SPLITALGO => 'HexStringSplit'}
get_splits 'jc_hex'
create 'jc_my', 'myCF'
alter 'jc_my', {NAME => 'myCF', IN_MEMORY => 'true'}
alter 'jc_my', 'myCF', CONFIGURATION => {IN_MEMORY => 'true'}
describe 'jc_my'
alter 'jc_my', {NAME => 'g', VERSIONS => 5}
alter 'jc_my', NAME => 'g', METHOD => 'delete'
alter 'jc_my', METHOD => 'table_att', MAX_FILESIZE => '134217728'
describe 'jc_my'
alter 'jc_my', METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'
alter 'jc_my', NAME => 'none', METHOD => 'delete'
alter_status 'jc_my'
put 'jc_my', 'r1', 'myCF:a', 'v1'
put 'jc_my', 'r1', 'nope:a', 'v1'
incr 'jc_my', 'r1', 'myCF:n', 5
incr 'jc_my', 'r1', 'myCF:n'
get_counter 'jc_my', 'r1', 'myCF:n'
append 'jc_my', 'r1', 'myCF:a', '+more'
get 'jc_my', 'r1'
delete 'jc_my', 'r1', 'myCF:n'
get 'jc_my', 'r1', {COLUMN => ['myCF:a', 'myCF:n']}
deleteall 'jc_my', 'r1'
count 'jc_my'
put 'jc_sp', 'a1', 'f1:q', '1'
put 'jc_sp', 'b1', 'f1:q', '2'
flush 'jc_sp'
compact 'jc_sp'
compact 'jc_sp', 'f1'
compact 'jc_sp', 'none'
compact 'jc_none'
major_compact 'jc_sp'
major_compact 'jc_sp', 'f1', 'NORMAL'
compaction_state 'jc_none'
compaction_switch true
flush 'jc_none'
status
status 'summary'
status 'simple'
status 'detailed'
status 'replication'
status 'none'
version
split 'jc_sp', 'bb'
merge_region @shell.admin.instance_variable_get(:@admin).getRegions(org.apache.hadoop.hbase.TableName.valueOf('jc_hex')).to_a[0, 2].map(&:getEncodedName)
get_splits 'jc_hex'
compact_rs 'none,1,1'
scan 'jc_sp'
sleep 4
list_regions 'jc_hex', '', ['REGION_NAME', 'START_KEY', 'END_KEY']
is_enabled 'jc_sp'
is_disabled 'jc_sp'
exists 'jc_sp'
exists 'jc_none'
drop 'jc_sp'
snapshot 'jc_sp', 'jc_snap'
list_snapshots 'jc_.*'
list_table_snapshots 'jc_sp'
clone_snapshot 'jc_snap', 'jc_clone'
scan 'jc_clone'
put 'jc_sp', 'z', 'f1:q', 'z'
restore_snapshot 'jc_snap'
disable 'jc_sp'
is_enabled 'jc_sp'
get 'jc_sp', 'a1'
restore_snapshot 'jc_snap'
enable 'jc_sp'
scan 'jc_sp'
delete_snapshot 'jc_snap'
delete_snapshot 'jc_snap'
truncate 'jc_sp'
get_splits 'jc_sp'
put 'jc_hex', '5', 'f1:q', '5'
truncate_preserve 'jc_hex'
get_splits 'jc_hex'
scan 'jc_hex'
list 'jc_.*'
balance_switch false
balancer_enabled
balance_switch true
balancer
normalizer_switch true
normalizer_enabled
normalize
catalogjanitor_switch true
catalogjanitor_enabled
cleaner_chore_switch true
cleaner_chore_enabled
splitormerge_switch 'SPLIT', false
splitormerge_enabled 'SPLIT'
splitormerge_switch 'SPLIT', true
snapshot_cleanup_enabled
list_quotas
list_peers
list_deadservers
list_decommissioned_regionservers
list_locks
list_rsgroups
is_in_maintenance_mode
create 'jc_d', 'f', SPLITS => ['m']
put 'jc_d', 'a', 'f:q', 'v'
alter_async 'jc_d', {NAME => 'f', VERSIONS => 4}
alter_status 'jc_d'
clone_table_schema 'jc_d', 'jc_e'
get_splits 'jc_e'
grant 'x', 'RW', 'jc_d'
list_snapshot_sizes
list_quota_table_sizes
set_quota TYPE => THROTTLE, TABLE => 'jc_d', LIMIT => '10req/sec'
clear_deadservers
get_balancer_decisions
get_balancer_rejections
hbck_chore_run
rit
disable_peer '1'
list_peer_configs
show_peer_tableCFs '1'
abort_procedure 1
move 'x'
assign 'x'
unassign 'x'
merge_region 'x', 'y'
split 'x'
flush 'x'
create 'jc_d', 'f'
create 'jc_x'
create 'jc_x', {NAME => 'f', COMPRESSION => 'NOPE'}
create 'jc_x', {NAME => 'f', TTL => 'abc'}
alter 'jc_d', {NAME => 'f', BLOCKSIZE => '1'}
create_namespace 'default'
snapshot 'jc_x', 's'
clone_snapshot 'nope', 'jc_z'
list_table_snapshots 'jc_d'
delete_all_snapshot 'x.*'
is_enabled 'jc_x'
is_enabled 'jc_d'
enable 'jc_d'
truncate 'jc_x'
splitormerge_enabled 'MERGE'
disable 'jc_d'
drop 'jc_d'
disable 'jc_e'
drop 'jc_e'
drop 'jc_none'
disable 'jc_none'
describe 'jc_none'
scan 'jc_none'
drop_namespace 'jc_cow'
disable 'jc_cow:ADVERTISER'
drop 'jc_cow:ADVERTISER'
drop_namespace 'jc_cow'
['jc_clone', 'jc_hex', 'jc_my', 'jc_sp', 'jc_testtable'].each { |table| disable table; drop table }
list 'jc_.*'
exit
