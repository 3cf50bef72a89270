import { HBaseError } from '../../model/errors.ts'
import type { Filter } from '../../model/filter.ts'
import { JsonReader } from '../../wire/text/json-reader.ts'
import { buildFilter } from './build-filter.ts'
import { readFilterSpec } from './filter-spec.ts'
import { SpecMembers } from './spec-members.ts'

/**
 * A filter as the JSON specification of HBase's REST server, `{"type":"PrefixFilter","value":"YQ=="}`. Throws CORRUPTION
 * for what is no such object, and ILLEGAL_ARGUMENT for one that states no filter, with what was expected and where.
 * What follows the object does not matter. HBase: ScannerModel.buildFilter.
 */
export function parseFilterJson(text: string): Filter {
  const bytes = Buffer.from(text)
  const spec = readFilterSpec(new JsonReader(bytes))
  if (spec === undefined)
    throw new HBaseError('ILLEGAL_ARGUMENT', 'malformed filter: expected an object, not null')
  return buildFilter(new SpecMembers(bytes), spec)
}
