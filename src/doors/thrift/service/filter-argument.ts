import { parseFilterString } from '../../../filter/language/parse-filter-string.ts'
import { decodeFilter } from '../../../filter/protobuf/decode-filter.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Filter } from '../../../model/filter.ts'
import { ThriftException } from '../thrift-service.ts'

/** Filters as clients state them: in the filter language, or (Thrift 2) as HBase's protobuf. */
export interface FilterArguments {
  readonly filterString?: Buffer
  readonly filterBytes?: Buffer
}

/**
 * The one place at which filters enter the services. Of both forms the bytes count, and the string must be sound
 * nevertheless. Throws ILLEGAL_ARGUMENT for the string, TIOError for the bytes.
 */
export function parseFilterArguments({ filterString, filterBytes }: FilterArguments): Filter | undefined {
  const stated = filterString === undefined ? undefined : parseFilterString(filterString)
  return filterBytes === undefined ? stated : parseFilterBytes(filterBytes)
}

/** HBase tells of such bytes what it failed at, without the class of its own exception around that. */
function parseFilterBytes(filterBytes: Buffer): Filter {
  try {
    return decodeFilter(filterBytes)
  } catch (cause) {
    if (!isHBaseError(cause) || cause.code !== 'DO_NOT_RETRY') throw cause
    throw new ThriftException('TIOError', { message: cause.message, canRetry: false }, { cause })
  }
}
