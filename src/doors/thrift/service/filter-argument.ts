import { HBaseError } from '../../../model/errors.ts'

/** Filters as clients state them: in the filter language, or (Thrift 2) as HBase's protobuf. */
export interface FilterArguments {
  readonly filterString?: Buffer
  readonly filterBytes?: Buffer
}

/** The one place at which filters enter the services. Throws DO_NOT_RETRY: no store evaluates them yet. */
export function checkNoFilter({ filterString, filterBytes }: FilterArguments): void {
  if (filterString !== undefined || filterBytes !== undefined) {
    throw new HBaseError('DO_NOT_RETRY', 'filters are not available: leave out filterString and filterBytes')
  }
}
