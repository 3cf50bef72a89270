import { decodeCellSetXml } from '../../src/wire/rest/cell-set-xml-decoder.ts'
import { decodeNamespaceXml } from '../../src/wire/rest/namespace-properties.ts'
import { decodeScannerXml } from '../../src/wire/rest/scanner-spec.ts'
import { decodeTableSchemaXml } from '../../src/wire/rest/table-schema-decoder.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'
import { LIMITS } from './limits.ts'
import { restBodies } from './recorded-seeds.ts'

const DECODERS = [decodeCellSetXml, decodeNamespaceXml, decodeScannerXml, decodeTableSchemaXml]

export const restXml: FuzzTarget = {
  name: 'rest-xml',
  seeds: () => restBodies('xml'),
  run: (input) =>
    tryEach(
      input,
      DECODERS.map((decode) => (body) => decode(body, LIMITS)),
    ),
}
