create 'p1', 'f', {NAME => 'g', VERSIONS => 3}
put 'p1', "a\x00\xff", "f:q\x01", "v\x80\\"
put 'p1', 'r1', 'g:a', 'one', 1000
put 'p1', 'r1', 'g:a', 'two', 2000
put 'p1', 'r1', 'g:a', 'far', 1579141440000000
put 'p1', 'r2', 'g:n', 12
put 'p1', 'r2', 'f:ü', 'ü'
put 'p1', 'r2', 'f', 'noqual'
put 'p1', :sym, 'f:q', :value
put 'p1', 'r3', 'f:q', nil, 5
put 'p1', 'r3', 'f:q', 1.5, 6
scan 'p1'
scan 'p1', {VERSIONS => 5}
scan 'p1', VERSIONS => 5, RAW => true
scan 'p1', COLUMN => 'g:a', TIMERANGE => [1000, 2000], VERSIONS => 5
scan 'p1', {COLUMNS => ['f', 'g:a'], LIMIT => 2}
scan 'p1', {ROWPREFIXFILTER => 'r', LIMIT => 2}
scan 'p1', {MAXLENGTH => 30}
scan 'p1', {COLUMNS => 'zz:a'}
scan 'p1', {COLUMNS => 'g:n:toInt'}
scan 'p1', {COLUMNS => 'g:n:toLong'}
get 'p1', 'r1', {COLUMN => ['g:a'], VERSIONS => 4, TIMERANGE => [0, 3000]}
get 'p1', 'r1', {COLUMN => 'g:a', TIMESTAMP => 1000}
get 'p1', 'r1', {COLUMN => 'g:a', VERSIONS => 5, FILTER => "ValueFilter(=, 'binary:two')"}
get 'p1', 'r1', {FILTER => "ValueFilter(=, 'binary:two')"}
get 'p1', 'r1', {VERSIONS => 4}
get 'p1', 'r1', {TIMERANGE => [0, 3000], VERSIONS => 4}
get 'p1', 'r1', 'g:a', 'f:q'
get 'p1', 'r1', ['g:a', 'f:q']
get 'p1', 'r1', 5
get 'p1', "a\x00\xff"
get 'p1', "a\000\377"
get 'p1'
get
get 'p1', ''
get 'nope', 'r'
get 'p1', 'r1', 'zz'
put 'p1', 'r1', 'g:a'
put 'p1', 'r1', 'zz:a', 'v'
delete 'p1', 'r1', 'g:a', 2000
scan 'p1', VERSIONS => 5, RAW => true, COLUMN => 'g'
deleteall 'p1', 'r1', 'g:a'
deleteall 'p1', 'r2', 'g', 5
deleteall 'p1', {ROWPREFIXFILTER => 'r'}
scan 'p1', VERSIONS => 5, RAW => true
incr 'p1', 'c', 'f:c', -3
incr 'p1', 'sym', 'f:q'
get_counter 'p1', 'c', 'f:c'
get_counter 'p1', 'nil', 'f:c'
append 'p1', 'c', 'f:a', 'x'
count 'p1', CACHE => 1000
count 'p1', 1
count 'p1', {INTERVAL => 1, STARTROW => 'b'}
t = get_table 'p1'
t
t.put 'r9', 'f:a', 'v'
t.scan
t.get 'r9'
t.get 'r9', 'f:a'
t.count
t.describe
t.delete 'r9', 'f:a'
t.name
t.nope
t.incr 'r9', 'f:c', 2
t2 = create 'p2', 'f'
t2.disable
t2.drop
nope
nope 'a'
exists
exists 'a', 'b', 'c'
get 'p1', 'r
'
scan 'p1', {LIMIT =>
1}
get 'p1' 'r1'
put "p1", 'it''s', 'f:q', 'a'
list 'p1'; list 'p2'
list; nil
alter 'p1', 'f2'
alter 'p1', {NAME => 'f2', METHOD => 'delete'}
alter 'p1', 'delete' => 'f2'
alter 'p1', METHOD => 'table_att_unset', NAME => 'NOPE'
alter 'p1', METHOD => 'nope'
alter 'p1', CONFIGURATION => {'a.b' => 1}
describe 'p1'
alter 'p1', METHOD => 'table_conf_unset', NAME => 'a.b'
alter 'p1', {NAME => 'h', CONFIGURATION => {'x' => 'y'}, METADATA => {'m' => 'n'}}
describe 'p1'
desc 'p1'
describe
describe 'p1', 'x'
alter 'nope', 'f'
alter 'p1'
disable 'p1'
describe 'p1'
scan 'p1'
put 'p1', 'a', 'f:q', 'v'
list_regions 'p1'
enable 'p1'
create 'p3', {NAME => 'f', VERSIONS => 'x'}
create 'p3', {NAME => 'f'}, {NUMREGIONS => 3, SPLITALGO => 'UniformSplit'}
get_splits 'p3'
create 'p4', {NAME => 'f'}, {NUMREGIONS => 3}
describe 'p4'
get_splits 'p4'
create 'p5', 'f', 'f'
create 'p6', 5
create 5, 'f'
create 'bad name', 'f'
create 'nsnope:t', 'f'
create 'p7', {VERSIONS => 3}
create 'p8', {NAME => 'f', IN_MEMORY_COMPACTION => 'BASIC', IS_MOB => true, MOB_THRESHOLD => 1000, DFS_REPLICATION => 2, CACHE_DATA_ON_WRITE => true}
describe 'p8'
locate_region 'p4', 'b'
drop_all 'zzz'
create 'p4', 'f', SPLITS => ["\x01", 'a\xFE'], OWNER => 'me', METADATA => {'k' => 'v'}, DURABILITY => 'SKIP_WAL'
describe 'p4'
get_splits 'p4'
locate_region 'p4', 'b'
y = ['a', "b", :c, 1.5, nil, true, {'k' => 'v', NAME => 1}]
y
scan 'p1', {FILTER => "PrefixFilter('s')"}
list_quota_table_sizes
list_replicated_tables
set_quota TYPE => 'NOPE'
create_namespace 'p_ns', 5
alter_namespace 'p_ns', {METHOD => 'x'}
list_namespace_tables 'p_none'
describe_namespace 'p_none'
drop_namespace 'p_none'
splitormerge_switch 'X', true
balancer 'x'
compact 'p1', nil, 'X'
compaction_state 'p1'
snapshot 'p1', 'p_snap', {SKIP_FLUSH => true}
list_snapshots 'p_.*'
clone_snapshot 'p_snap', 'p1'
clone_snapshot 'p_snap', 'p_none:t'
delete_snapshot 'p_snap'
snapshot 'p1', 5
add_peer '1'
set_peer_bandwidth '1', 5
disable 'p1'
drop 'p1'
disable 'p3'
drop 'p3'
disable 'p4'
drop 'p4'
disable 'p5'
drop 'p5'
disable 'p8'
drop 'p8'
list
exit
