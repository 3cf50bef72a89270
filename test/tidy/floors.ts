/**
 * The folders of each large part, as floors: the lowest first. A folder may import from the floors below its own, and from itself. Folders of one
 * floor do not import each other. `.` stands for the files that lie in the part itself.
 */
export const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'adapters/hbase': [
    ['config', 'messages', 'rpc'],
    ['cells', 'retry', 'zookeeper'],
    ['connections'],
    ['registry'],
    ['cluster'],
    ['admin', 'batch', 'scan'],
    ['maintain', 'write'],
    ['as-of'],
    ['.'],
  ],
  'adapters/servers': [['.'], ['rest', 'thrift']],
  'src/doors/rpc': [
    ['regions'],
    ['messages'],
    ['contract'],
    ['answers', 'endpoints', 'registry'],
    ['connection', 'client', 'admin', 'master'],
    ['.'],
  ],
  'src/doors/thrift': [['contract'], ['decoding', 'service'], ['transport'], ['.']],
  'src/doors/rest': [
    ['http'],
    ['openapi', 'parameters', 'service'],
    ['answers', 'decoding', 'schema'],
    ['rows'],
    ['scans'],
    ['.'],
  ],
  'src/doors/timeline': [
    ['keys', 'values'],
    ['tables'],
    ['domains'],
    ['entities'],
    ['documents', 'service'],
    ['http', 'import'],
    ['.'],
  ],
  'src/doors/web': [['metrics'], ['status'], ['console', 'hbase'], ['.']],
  'src/doors/zookeeper': [['tree', 'session'], ['operations'], ['.']],
  'src/gateway': [
    ['limits', 'observing'],
    ['connections'],
    ['requests', 'identity'],
    ['catalog', 'siblings'],
    ['reads'],
    ['.'],
    ['http', 'policies'],
  ],
  'src/shell': [['help', 'ruby'], ['output'], ['arguments', 'context'], ['commands'], ['.']],
  'src/transfer': [['formats'], ['.']],
  'src/wire': [['text', 'hadoop'], ['rpc'], ['rest', 'thrift', 'zookeeper'], ['.']],
}
