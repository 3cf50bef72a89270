import { HBaseError } from '../../../src/model/errors.ts'
import type { MutationOptions } from '../../../src/model/mutation.ts'

/** A mutation's options as a cluster takes them. Throws UNSUPPORTED for tags, which only the cluster's own coprocessors make, from attributes. */
export function sentOptions({ durability, ttlMs, attributes, tags }: MutationOptions): Pick<
  MutationOptions,
  'durability'
> & {
  readonly ttlMs: number | undefined
  readonly attributes: MutationOptions['attributes'] | undefined
} {
  if (tags === undefined) return { durability, ttlMs, attributes }
  throw new HBaseError('UNSUPPORTED', 'a cluster takes no tags of cells from its clients')
}
