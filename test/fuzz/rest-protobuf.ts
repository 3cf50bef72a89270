import { decodeCellSetProtobuf } from '../../src/wire/rest/cell-set-protobuf-decoder.ts'
import { decodeNamespaceProtobuf } from '../../src/wire/rest/namespace-properties.ts'
import { decodeScannerProtobuf } from '../../src/wire/rest/scanner-spec.ts'
import { decodeTableSchemaProtobuf } from '../../src/wire/rest/table-schema-decoder.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'
import { LIMITS } from './limits.ts'
import { restBodies } from './recorded-seeds.ts'

const DECODERS = [
  decodeCellSetProtobuf,
  decodeNamespaceProtobuf,
  decodeScannerProtobuf,
  decodeTableSchemaProtobuf,
]

export const restProtobuf: FuzzTarget = {
  name: 'rest-protobuf',
  seeds: () => restBodies('protobuf'),
  run: (input) =>
    tryEach(
      input,
      DECODERS.map((decode) => (body) => decode(body, LIMITS)),
    ),
}
