-- What HBaseStorage reads and writes, a step each: its name is the folder that it writes to, or the table.
SET pig.noSplitCombination true;
%declare H org.apache.pig.backend.hadoop.hbase.HBaseStorage

-- pig_times: 10,1 c1 at 1000 and c2 at 2000, 10,3 c3 at 3000, 10,4 c4 at 4000; split at 10,2 and 11.
a = LOAD 'hbase://pig_times' USING $H('d:m', '-loadKey true') AS (k:chararray, m:chararray);
STORE a INTO 'out/all';
a = LOAD 'hbase://pig_times' USING $H('d:m', '-loadKey true -minTimestamp 2000 -maxTimestamp 4000 -caching 1000') AS (k:chararray, m:chararray);
STORE a INTO 'out/time-range';
a = LOAD 'hbase://pig_times' USING $H('d:m', '-loadKey true -minTimestamp 0') AS (k:chararray, m:chararray);
STORE a INTO 'out/from-the-beginning';
a = LOAD 'hbase://pig_times' USING $H('d:m', '-loadKey true -timestamp 1000') AS (k:chararray, m:chararray);
STORE a INTO 'out/one-timestamp';
a = LOAD 'hbase://pig_times' USING $H('d:m', 'loadKey true') AS (k:chararray, m:chararray);
STORE a INTO 'out/no-dash';
a = LOAD 'hbase://pig_times' USING $H('d:m') AS (m:chararray);
STORE a INTO 'out/no-key';
a = LOAD 'pig_times' USING $H('d:m d:none', '-loadKey true') AS (k:chararray, m:chararray, n:chararray);
STORE a INTO 'out/table-without-scheme';
exec;

-- pig_wide: r00 to r29 with f:pa, f:pb, f:q and g:n (4 bytes); split at r10 and r20.
a = LOAD 'hbase://pig_wide' USING $H('f:pa f:q', '-loadKey true -gt r05 -lt r08') AS (k:chararray, pa:chararray, q:chararray);
STORE a INTO 'out/gt-lt';
a = LOAD 'hbase://pig_wide' USING $H('f:pa', '-loadKey true -gte r09 -lte r11') AS (k:chararray, pa:chararray);
STORE a INTO 'out/gte-lte';
a = LOAD 'hbase://pig_wide' USING $H('f:pa', '-loadKey true -limit 2') AS (k:chararray, pa:chararray);
STORE a INTO 'out/limit';
a = LOAD 'hbase://pig_wide' USING $H('f:pa', '-loadKey true -regex r.[37]') AS (k:chararray, pa:chararray);
STORE a INTO 'out/regex';
a = LOAD 'hbase://pig_wide' USING $H('f:p*', '-loadKey true -lt r03') AS (k:chararray, p:map[]);
STORE a INTO 'out/prefix';
a = LOAD 'hbase://pig_wide' USING $H('f:*', '-loadKey true -lt r03') AS (k:chararray, f:map[]);
STORE a INTO 'out/family';
a = LOAD 'hbase://pig_wide' USING $H('f:p* g:*', '-loadKey true -gte r28') AS (k:chararray, p:map[], g:map[]);
STORE a INTO 'out/prefix-and-family';
a = LOAD 'hbase://pig_wide' USING $H('f:pa,f:q', '-loadKey true -delim , -lt r02') AS (k:chararray, pa:chararray, q:chararray);
STORE a INTO 'out/delimiter';
a = LOAD 'hbase://pig_wide' USING $H('g:n', '-loadKey true -caster HBaseBinaryConverter') AS (k:chararray, n:int);
b = FILTER a BY n > 26;
STORE b INTO 'out/binary';
b = FOREACH (GROUP a ALL) GENERATE COUNT(a), SUM(a.n);
STORE b INTO 'out/sum';
a = LOAD 'hbase://pig_wide' USING $H('f:pa', '-loadKey true') AS (k:chararray, pa:chararray);
b = FILTER a BY k >= 'r12' AND k < 'r14';
STORE b INTO 'out/filter-on-the-key';
exec;

a = LOAD 'hbase://pig_wide' USING $H('f:pa f:q', '-loadKey true') AS (k:chararray, pa:chararray, q:chararray);
STORE a INTO 'pig_plain' USING $H('d:a d:b');
STORE a INTO 'hbase://pig_scheme' USING $H('d:a d:b', '-noWAL');
a = LOAD 'hbase://pig_wide' USING $H('f:*', '-loadKey true -lt r05') AS (k:chararray, f:map[]);
STORE a INTO 'hbase://pig_maps' USING $H('d:*');
a = LOAD 'hbase://pig_wide' USING $H('g:n', '-loadKey true -caster HBaseBinaryConverter -lt r05') AS (k:chararray, n:int);
b = FOREACH a GENERATE CONCAT('copy of ', k), n, (long) n * 10000000000L;
STORE b INTO 'hbase://pig_binary' USING $H('d:n d:l', '-caster HBaseBinaryConverter');
exec;
