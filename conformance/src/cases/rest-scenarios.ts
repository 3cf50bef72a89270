/** All scenarios over HTTP. */

import type { Scenario } from '../runner/case.ts'
import { restAcceptClients } from './rest-accept-clients.ts'
import { restAcceptWords } from './rest-accept-words.ts'
import { restBodyJson } from './rest-body-json.ts'
import { restBodyProtobuf } from './rest-body-protobuf.ts'
import { restBodyXml } from './rest-body-xml.ts'
import { restBytes } from './rest-bytes.ts'
import { restCheck } from './rest-check.ts'
import { restContentTypes } from './rest-content-types.ts'
import { restDelete } from './rest-delete.ts'
import { restHttp } from './rest-http.ts'
import { restNamedTwice } from './rest-named-twice.ts'
import { restNamespace } from './rest-namespace.ts'
import { restNegotiation } from './rest-negotiation.ts'
import { restRow } from './rest-row.ts'
import { restScan } from './rest-scan.ts'
import { restScanner } from './rest-scanner.ts'
import { restSchema } from './rest-schema.ts'
import { restUrl } from './rest-url.ts'
import { restUrlNames } from './rest-url-names.ts'
import { restVerb } from './rest-verb.ts'
import { restWrite } from './rest-write.ts'
import { restWriteJson } from './rest-write-json.ts'
import { restWriteXml } from './rest-write-xml.ts'

export const REST_SCENARIOS: readonly Scenario[] = [
  restRow,
  restNegotiation,
  restScan,
  restScanner,
  restWriteJson,
  restWriteXml,
  restWrite,
  restCheck,
  restDelete,
  restSchema,
  restNamespace,
  restVerb,
  restUrl,
  restUrlNames,
  restBodyJson,
  restBodyXml,
  restBodyProtobuf,
  restBytes,
  restHttp,
  restAcceptWords,
  restAcceptClients,
  restContentTypes,
  restNamedTwice,
]
