import { filterStringInSteps } from '../../../filter/language/parse-filter-string.ts'
import { filterInSteps } from '../../../filter/protobuf/decode-filter.ts'
import { isLargeFilterText, readFilter } from '../../../gateway/requests/read-filter.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Filter } from '../../../model/filter.ts'
import { atOnce } from '../../../model/steps.ts'
import { ThriftException } from '../contract/thrift-service.ts'

/** A filter in the filter language or, for Thrift 2, as HBase's protobuf. */
export interface FilterArguments {
  readonly filterString?: Buffer
  readonly filterBytes?: Buffer
}

/** Large filters that were read in several turns of the event loop, by their arguments. */
const read = new WeakMap<Buffer, Filter>()

/**
 * Reads large filters in several turns of the event loop, so that parseFilterArguments then takes no time. Undefined where there is no large
 * filter. Throws as parseFilterArguments does.
 */
export function largeFiltersRead(asked: FilterArguments): Promise<void> | undefined {
  const { filterString, filterBytes } = asked
  const isLarge = [filterString, filterBytes].some((bytes) => bytes !== undefined && isLargeFilterText(bytes))
  return isLarge ? readLargeFilters(asked) : undefined
}

async function readLargeFilters({ filterString, filterBytes }: FilterArguments): Promise<void> {
  if (filterString !== undefined) read.set(filterString, await readFilter(filterString, filterStringInSteps))
  if (filterBytes === undefined) return
  try {
    read.set(filterBytes, await readFilter(filterBytes, filterInSteps))
  } catch (error) {
    throw refusalOfBytes(error)
  }
}

/**
 * Reads the filter of a call. Throws ILLEGAL_ARGUMENT for the string, TIOError for the bytes.
 * QUIRK filter-unread-bytes-and-string: HBase obeys the bytes where both are sent, but refuses an illegal string first.
 */
export function parseFilterArguments({ filterString, filterBytes }: FilterArguments): Filter | undefined {
  const stated =
    filterString === undefined
      ? undefined
      : (read.get(filterString) ?? atOnce(filterStringInSteps(filterString)))
  return filterBytes === undefined ? stated : parseFilterBytes(filterBytes)
}

function parseFilterBytes(filterBytes: Buffer): Filter {
  try {
    return read.get(filterBytes) ?? atOnce(filterInSteps(filterBytes))
  } catch (error) {
    throw refusalOfBytes(error)
  }
}

/** QUIRK filter-bytes-unsound-xff: HBase answers the protobuf library's message without the class of any exception. */
function refusalOfBytes(cause: unknown): unknown {
  if (!isHBaseError(cause) || cause.code !== 'DO_NOT_RETRY') return cause
  return new ThriftException('TIOError', { message: cause.message, canRetry: false }, { cause })
}
