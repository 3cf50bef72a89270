/** The filter of a query, in the filter language of HBase: `filter` as text, `filter_b64` in URL-safe base64. */

import { filterStringInSteps } from '../../../filter/language/parse-filter-string.ts'
import { readFilter } from '../../../gateway/requests/read-filter.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Filter } from '../../../model/filter.ts'
import { readUrlBase64 } from '../../../wire/rest/url-base64.ts'
import { withStatus } from '../http/errors.ts'
import type { RestRequest } from '../http/request.ts'

/**
 * The filter; undefined where the query has none. Throws StatusError 500. HBase: MultiRowResource.get and TableResource.getScanResource
 * prefer `filter_b64`, which they do not percent-decode.
 */
export async function parseFilterParameter(request: RestRequest): Promise<Filter | undefined> {
  const encoded = request.rawParameter('filter_b64')
  const text = encoded === undefined ? request.parameter('filter') : encoded
  if (text === null) return undefined
  try {
    const bytes = encoded === undefined ? Buffer.from(text) : readUrlBase64(text)
    return await readFilter(bytes, filterStringInSteps)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    throw withStatus(500, error)
  }
}
