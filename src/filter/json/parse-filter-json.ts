import { HBaseError } from '../../model/errors.ts'
import type { Filter } from '../../model/filter.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import { JsonReader } from '../../wire/text/json-reader.ts'
import { FilterParts } from '../schema/filter-parts.ts'
import { buildFilter } from './build-filter.ts'
import { readFilterSpec } from './filter-spec.ts'
import { SpecMembers } from './spec-members.ts'

class CountingReader extends JsonReader {
  readonly #parts = new FilterParts()

  override nextElement(first: boolean): boolean {
    this.#parts.add()
    return super.nextElement(first)
  }
}

/**
 * Reads a filter from the JSON of HBase's REST server, `{"type":"PrefixFilter","value":"YQ=="}`. Throws CORRUPTION for
 * text that is no such object, and ILLEGAL_ARGUMENT for an object that states no filter, with the expected value and its
 * place, or whose lists have too many elements. Ignores the text after the object. HBase: ScannerModel.buildFilter.
 */
export function parseFilterJson(text: string): Filter {
  return atOnce(filterJsonInSteps(Buffer.from(text)))
}

/** As parseFilterJson. */
export function* filterJsonInSteps(bytes: Buffer): Steps<Filter> {
  const spec = yield* readFilterSpec(new CountingReader(bytes))
  if (spec === undefined)
    throw new HBaseError('ILLEGAL_ARGUMENT', 'malformed filter: expected an object, not null')
  return yield* buildFilter(new SpecMembers(bytes), spec)
}
