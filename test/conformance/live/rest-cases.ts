/** What both REST servers are asked, in order; here the reads. Later requests rely on what earlier ones wrote. */

export interface RestCase {
  readonly method: string
  /** From the slash on. `{t}` is the table, `{u}` one that does not exist, `{n}` a namespace. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Why Tidegate answers otherwise on purpose: then only the status is compared. */
  readonly deliberate?: string
}

export const JSON_TYPE = 'application/json'
export const XML = 'text/xml'
export const PROTOBUF = 'application/x-protobuf'
export const BINARY = 'application/octet-stream'
export const TEXT = 'text/plain'

export function b64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64')
}

export function get(
  path: string,
  accept: string = JSON_TYPE,
  headers: Record<string, string> = {},
): RestCase {
  return { method: 'GET', path, headers: { Accept: accept, ...headers } }
}

export function send(method: string, path: string, contentType: string, body: string | Buffer): RestCase {
  return { method, path, headers: { 'Content-Type': contentType, Accept: JSON_TYPE }, body }
}

/** A cell set of one row as JSON; cells are column, value, timestamp. */
export function rowJson(row: string, ...cells: [string, string, (number | string)?][]): string {
  const texts = cells.map(([column, value, timestamp]) => {
    const time = timestamp === undefined ? '' : `"timestamp":${timestamp},`
    return `{"column":"${b64(column)}",${time}"$":"${b64(value)}"}`
  })
  return `{"Row":[{"key":"${b64(row)}","Cell":[${texts.join(',')}]}]}`
}

export const F_A: string = b64('f:a')
export const LONG_MAX = '9223372036854775807'

const SCHEMA = '{"ColumnSchema":[{"name":"f","VERSIONS":"3"},{"name":"g"}]}'

const setUp: RestCase[] = [
  send('PUT', '/{t}/schema', JSON_TYPE, SCHEMA),
  send('PUT', '/{t}/r1', JSON_TYPE, rowJson('r1', ['f:a', 'v1', 1000], ['f:b', 'v2', 1000], ['g:', 'v3', 5])),
  send('PUT', '/{t}/r1', JSON_TYPE, rowJson('r1', ['f:a', 'v1-old', 900], ['f:a', 'v1-older', 800])),
  send('PUT', '/{t}/r2', JSON_TYPE, rowJson('r2', ['f:a', '', 1000])),
  send('PUT', '/{t}/r3', JSON_TYPE, rowJson('r3', ['f:c', '\x00\xff\xfe', 7], ['g:x', 'long'.repeat(50), 8])),
  send('PUT', '/{t}/x', JSON_TYPE, rowJson('10', ['f:a', '1', 1])),
  send('PUT', '/{t}/x', JSON_TYPE, rowJson('10,77', ['f:a', '2', 1])),
  send('PUT', '/{t}/x', JSON_TYPE, rowJson('100,1', ['f:a', '3', 1])),
  send('PUT', '/{t}/x', JSON_TYPE, rowJson('a b', ['f:a', '4', 1])),
  send('PUT', '/{t}/x', JSON_TYPE, rowJson('\xc3\xa9', ['f:a', '5', 1])),
  send('PUT', '/{t}/x', JSON_TYPE, rowJson('bin\x00\xff', ['f:\xff', '6', 1])),
]

const accepts = [
  JSON_TYPE,
  XML,
  TEXT,
  '*/*',
  BINARY,
  PROTOBUF,
  'application/protobuf',
  'image/png',
  'application/xml',
  'text/*',
  'application/*',
  `${XML};q=0.1, ${JSON_TYPE};q=0.9`,
  `${XML}, ${JSON_TYPE}`,
  `${JSON_TYPE}, ${XML}`,
  `${JSON_TYPE};q=0`,
  `${JSON_TYPE};q=0, ${XML};q=0.5`,
  'garbage',
  `${JSON_TYPE}; charset=utf-8`,
  'TEXT/XML',
  `${JSON_TYPE};q=abc`,
  `${BINARY}, ${JSON_TYPE}`,
  `${JSON_TYPE}, ${BINARY}`,
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  '*',
  'text/plain, */*;q=0.5',
]

const negotiation: RestCase[] = accepts.flatMap((accept) => [
  get('/{t}/r1', accept),
  get('/{t}/r1/f:a', accept),
  get('/{t}/schema', accept),
  get('/namespaces', accept),
  get('/version/cluster', accept),
  get('/{u}/r1/f:a', accept),
])

const rowPaths = [
  '/{t}/r1/f:a/1000',
  '/{t}/r1/f:a/1001',
  '/{t}/r1/f:a/1000,1001',
  '/{t}/r1/f:a/1001,1000',
  '/{t}/r1/f:a/900,1000',
  '/{t}/r1/f:a/800,2000?v=10',
  '/{t}/r1/f:a?v=2',
  '/{t}/r1/f:a,f:b?v=10',
  '/{t}/r1/f?v=10',
  '/{t}/r1/x',
  '/{t}/r1/f:a/x',
  '/{t}/r1/f:a/-5',
  '/{t}/r1/f:a/5,-5',
  '/{t}/r1/f:a/0',
  '/{t}/r1/f:a/',
  '/{t}/r1/',
  '/{t}/',
  '/{t}',
  '/{t}//r1',
  '/{t}///r1',
  '/{t}/r1//1001',
  `/{t}/r1/f:a/0,${LONG_MAX}`,
  '/{t}/r1/f:a/0,9223372036854775808',
  '/{t}/r1/,f:a',
  '/{t}/r1/f:a,',
  '/{t}/r1/f:a,,f:b',
  '/{t}/r1/,',
  '/{t}/r1,r3',
  '/{t}/r1,r1',
  '/{t}/r3,r1',
  '/{t}/r1%2Cr3',
  '/{t}/r1,',
  '/{t}/r1,/f:a',
  '/{t}/,r2',
  '/{t}/,',
  '/{t}/r1,r*',
  '/{t}/10,77',
  '/{t}/10,77/f:a',
  '/{t}/10%2C77',
  '/{t}/10%2C*',
  '/{t}/r*',
  '/{t}/r*/f:a',
  '/{t}/*/f:a',
  '/{t}/*/f:a/900,1000',
  '/{t}/q*',
  '/{t}/q*/f:a',
  '/{t}/r%2A',
  '/{t}/r%2A/f:a',
  '/{t}/a*b',
  '/{t}/r*/f:a*',
  '/{t}/r1?v=0',
  '/{t}/r1?v=-1',
  '/{t}/r1?v=x',
  '/{t}/r1?v=',
  '/{t}/r1?v=2147483647',
  '/{t}/r1?v=99999999999',
  '/{t}/r1?nocache',
  '/{t}/a+b',
  '/{t}/a%20b',
  '/{t}/%C3%A9',
  '/{t}/%ff',
  '/{t}/bin%00%ff',
  '/{t}/bin%00%ff/f:a',
  '/{t}/%zz',
  '/{t}/r1%2',
  '/%zz/r1',
  '/{t}/r1/f%3Aa',
  '/{t}/r1/f',
  '/{t}/r1/:a',
  '/{t}/r1/f:a:b',
  '/{t}/r1/zz:a',
  '/{t}/r1/zz',
  '/{t}/r1;x=y',
  '/{t};x=y/r1',
  '/{t}/nope',
  '/{u}/r1',
  '/{u}/r1,r2',
  '/bad!name/r1',
  '/bad%20name/r1',
  '/-bad/r1',
  '/a:b:c/r1',
  '/{n}:t/r1',
  '/:x/r1',
  '/x:/r1',
  '/{t}/cjE?e=b64',
  '/{t}/cjE=?e=b64',
  '/{t}/cjE?e=base64basic',
  '/{t}/cjE=?e=b64basic',
  '/{t}/cjE?e=bogus',
  '/{t}/!!?e=b64',
  '/{t}/YmluAP8/ZjrR?e=b64url',
  '/{t}/YmluAP8=/Zjr_?e=b64url',
  '/{t}/YmluAP8/Zjr%2F?e=b64basic',
  '/{t}/cjE/Zjph?e=b64',
  '/{t}/cjE/Zjph/1000,1001?e=b64',
]

const gets: RestCase[] = [
  ...rowPaths.map((path) => get(path)),
  ...rowPaths.slice(0, 30).map((path) => get(path, XML)),
  ...rowPaths.slice(0, 30).map((path) => get(path, PROTOBUF)),
  get('/{t}/cjE/Zjph', BINARY, { Encoding: 'b64' }),
  get('/{t}/r1/f:a', BINARY),
  get('/{t}/r2/f:a', BINARY),
  get('/{t}/nope/f:a', BINARY),
  get('/{t}/r1,r3/f:a', BINARY),
  get('/{t}/r2', XML),
  get('/{t}/r1/f:a', JSON_TYPE, { 'Accept-Encoding': 'gzip' }),
  get('/{t}/schema', JSON_TYPE, { 'Accept-Encoding': 'gzip' }),
  { method: 'HEAD', path: '/{t}/r1/f:a' },
  { method: 'HEAD', path: '/{t}/nope/f:a' },
  { method: 'HEAD', path: '/{t}/schema' },
]

const multigets: RestCase[] = [
  '/{t}/multiget?row=r1&row=r2',
  '/{t}/multiget',
  '/{t}/multiget?row=',
  '/{t}/multiget?row=nope',
  '/{t}/multiget?row=nope&row=r2',
  '/{t}/multiget/f:a?row=r1&row=r2',
  '/{t}/multiget/f:a,f:b?row=r1',
  '/{t}/multiget/?row=r1/f:b',
  '/{t}/multiget?row=r1&v=x',
  '/{t}/multiget?row=r1&v=3',
  '/{t}/multiget?row=r1&v=0',
  '/{t}/multiget?row=r2&row=r1&row=r2',
  '/{t}/multigetf:a?row=r1',
  '/{t}/multiget?row=r1,r2',
  '/{t}/multiget?row=r*',
  '/{t}/multiget?row=10%252C77',
  '/{t}/multiget?row=10%2C77',
  '/{u}/multiget?row=r1',
  '/{t}/multiget/zz:a?row=r1',
  '/{t}/multiget?row=cjE&e=b64',
  '/{t}/multiget?row=r1/f:a/900',
].flatMap((path) => [get(path), get(path, XML), get(path, '*/*')])

const scans: RestCase[] = [
  '/*?limit=1',
  '/*?limit=0',
  '/*?limit=-1',
  '/*?limit=x',
  '/*?limit=',
  '/*?limit=3',
  '/*?startrow=r2',
  '/*?endrow=r2',
  '/*?startrow=r1&endrow=r3',
  '/*?startrow=r1&endrow=r1',
  '/*?startrow=r3&endrow=r1',
  '/*?startrow=r3&endrow=r1&reversed=true',
  '/*?column=f:a',
  '/*?column=f',
  '/*?column=f:',
  '/*?column=g:',
  '/*?column=zz',
  '/*?column=f:a&column=f:b',
  '/*?column=f:a,f:b',
  '/*?column=%20f:a%20',
  '/*?column=',
  '/*?column=f:a:b',
  '/*?maxversions=2',
  '/*?maxversions=0',
  '/*?maxversions=x',
  '/*?batchsize=1',
  '/*?batchsize=1&limit=2',
  '/*?batchsize=2&maxversions=3',
  '/*?batchsize=0',
  '/*?starttime=5&endtime=6',
  '/*?starttime=9&endtime=6',
  '/*?starttime=x',
  '/*?reversed=true',
  '/*?reversed=TRUE',
  '/*?reversed=x',
  '/r*?reversed=true',
  '/r1*?reversed=true',
  '/r*?reversed=true&startrow=r9',
  '/r*?reversed=true&startrow=z',
  '/r*?reversed=true&startrow=r2',
  '/r*?reversed=true&startrow=r3&endrow=r1',
  '/r*?startrow=r2',
  '/r*?startrow=a',
  '/r*?startrow=z',
  '/r*?endrow=r2',
  '/r*?endrow=a',
  '/r*?startrow=r1&endrow=r1',
  '/10%2C*',
  '/10*?limit=2',
  '/a%20*',
  '/a+*',
  '/*?cacheblocks=false',
  '/r/x*',
  '/r*/f:a/9,1000000000000000',
].flatMap((path) => [get(`/{t}${path}`), get(`/{t}${path}`, XML), get(`/{t}${path}`, PROTOBUF)])

const scanForms: RestCase[] = [
  get('/{u}/*'),
  get('/{t}/q*', XML),
  get('/{t}/r1*', TEXT),
  get('/{t}/r1*', BINARY),
  send('PUT', '/{t}/r1*', JSON_TYPE, '{}'),
]

export const readCases: readonly RestCase[] = [
  ...setUp,
  ...negotiation,
  ...gets,
  ...multigets,
  ...scans,
  ...scanForms,
]
