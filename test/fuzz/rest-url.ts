import { negotiate } from '../../src/doors/rest/http/media-type.ts'
import { isWellEncoded, parseQuery, withoutUtf16Escapes } from '../../src/doors/rest/http/percent.ts'
import { parseRowPath } from '../../src/doors/rest/parameters/row-path.ts'
import { parseRowSpec } from '../../src/doors/rest/parameters/row-spec.ts'
import { encodedRequestLine } from '../../src/gateway/http/raw-request-line.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'
import { restPaths } from './recorded-seeds.ts'

const ACCEPTS = ['text/html, application/json;q=0.5;x="a,b", */*;q=0', 'text/*, application/x-protobuf']
const OFFERED = ['text/xml', 'application/json'] as const
const VERSIONS = ['1', '9'] as const

/** The door reads a path so that the resources' order decides. */
function readPath(input: Buffer): unknown {
  const target = withoutUtf16Escapes(input.toString('latin1'))
  const [path = '', search = ''] = target.split('?')
  const query = parseQuery(search)
  const row = isWellEncoded(path) ? parseRowPath(path) : undefined
  const versions = query.get('v') ?? VERSIONS[input.length % 2]!
  return [row, row && parseRowSpec(row.rest, versions, query.get('e'))]
}

export const restUrl: FuzzTarget = {
  name: 'rest-url',
  seeds: () => [...restPaths(), ...ACCEPTS].map((text) => Buffer.from(text, 'latin1')),
  run: (input) =>
    tryEach(input, [
      readPath,
      (line) => encodedRequestLine(Buffer.concat([Buffer.from('GET '), line, Buffer.from(' HTTP/1.1')])),
      (accept) => negotiate(accept.toString('latin1'), OFFERED),
    ]),
}
