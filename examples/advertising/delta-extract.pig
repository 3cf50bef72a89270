-- The ads that have changed in an hour. FROM is included, TO is not. Without the dash before loadKey, rows come silently without their keys.
delta = LOAD 'hbase://cow_prod:PROD_COW_AD'
    USING org.apache.pig.backend.hadoop.hbase.HBaseStorage('d:m', '-loadKey true -minTimestamp $FROM -maxTimestamp $TO -caching 1000')
    AS (key:chararray, object:chararray);
STORE delta INTO 'delta';
