import { decodeCellSetJson } from '../../src/wire/rest/cell-set-json-decoder.ts'
import { decodeNamespaceJson } from '../../src/wire/rest/namespace-properties.ts'
import { readPlainJsonPuts } from '../../src/wire/rest/plain-json-puts.ts'
import { decodeScannerJson } from '../../src/wire/rest/scanner-spec.ts'
import { decodeTableSchemaJson } from '../../src/wire/rest/table-schema-decoder.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'
import { LIMITS } from './limits.ts'
import { restBodies } from './recorded-seeds.ts'

const DECODERS = [
  decodeCellSetJson,
  readPlainJsonPuts,
  decodeNamespaceJson,
  decodeScannerJson,
  decodeTableSchemaJson,
]

export const restJson: FuzzTarget = {
  name: 'rest-json',
  seeds: () => restBodies('json'),
  run: (input) =>
    tryEach(
      input,
      DECODERS.map((decode) => (body) => decode(body, LIMITS)),
    ),
}
