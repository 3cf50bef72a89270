/** Reads a domain from JSON. */

import { JsonReader } from '../../../wire/text/json-reader.ts'
import { checkJsonText } from '../../../wire/text/json-text.ts'
import type { Domain } from '../domains/domain.ts'
import { isBlank } from './entities-reader.ts'
import { longField, objectField, textField, unknownField } from './json-fields.ts'
import { readJson } from './malformed-document.ts'

/** A domain as the client sent it, without its owner: the door does not take that from the document. */
export type SentDomain = Omit<Domain, 'id' | 'owner'> & { readonly id: string | undefined }

const FIELDS = ['readers', 'owner', 'createdtime', 'modifiedtime', 'id', 'description', 'writers']

/** Undefined for a body without a domain. Throws MalformedDocument. */
export function readDomain(body: Buffer): SentDomain | undefined {
  return isBlank(body) ? undefined : readJson(() => domainOf(body))
}

function domainOf(body: Buffer): SentDomain | undefined {
  checkJsonText(body)
  const reader = new JsonReader(body)
  const texts = new Map<string, string | undefined>()
  const isThere = objectField(reader, 'the document', (field) => {
    if (!FIELDS.includes(field)) throw unknownField(field, FIELDS)
    if (field === 'createdtime' || field === 'modifiedtime') longField(reader, field)
    else texts.set(field, textField(reader, field))
  })
  if (!isThere) return undefined
  return {
    id: texts.get('id'),
    description: texts.get('description'),
    readers: texts.get('readers'),
    writers: texts.get('writers'),
  }
}
