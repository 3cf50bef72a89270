/** The filters of REST's queries: in the filter language, as text or as base64 of the kind for URLs. */

import { parseFilterString } from '../../../filter/language/parse-filter-string.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Filter } from '../../../model/filter.ts'
import { readUrlBase64 } from '../../../wire/rest/url-base64.ts'
import { withStatus } from '../http/errors.ts'
import type { RestRequest } from '../http/request.ts'

/** `filter_b64` counts more than `filter`, and is read as it stands, with its percent signs. Throws StatusError 500 as HBase does. */
export function filterOf(request: RestRequest): Filter | undefined {
  const encoded = request.rawParameter('filter_b64')
  const text = encoded === undefined ? request.parameter('filter') : encoded
  if (text === null) return undefined
  try {
    return parseFilterString(encoded === undefined ? Buffer.from(text) : readUrlBase64(text))
  } catch (error) {
    if (!isHBaseError(error)) throw error
    throw withStatus(500, error)
  }
}
