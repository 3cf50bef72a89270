import { namedFilters } from '../../../filter/language/named-filters.ts'
import { parseFilterString } from '../../../filter/language/parse-filter-string.ts'
import { printFilterString } from '../../../filter/language/print-filter-string.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { ConsoleRequest } from './console-request.ts'

/** What the server makes of a filter string: its own spelling of it, or what is wrong at which character. */
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
