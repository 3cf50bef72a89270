import { namedFilters } from '../../../filter/language/named-filters.ts'
import { parseFilterString } from '../../../filter/language/parse-filter-string.ts'
import { printFilterString } from '../../../filter/language/print-filter-string.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { ConsoleRequest } from './console-request.ts'

/** Checks a filter string: returns its normal form, or an error with the position of the wrong character; and the names of all filters. */
export async function filterCheck({ query }: ConsoleRequest): Promise<object> {
  const names = [...namedFilters.keys()]
  const text = query.get('text') ?? ''
  if (text.trim() === '') return { names }
  try {
    return { names, printed: printFilterString(parseFilterString(Buffer.from(text)))?.toString() }
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return { names, problem: { message: error.message, ...(error.detail as object | undefined) } }
  }
}
