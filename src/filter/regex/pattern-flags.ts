import { HBaseError } from '../../model/errors.ts'

/** The bits of java.util.regex.Pattern's flags. */
export const PatternFlag = {
  UnixLines: 1,
  CaseInsensitive: 2,
  Comments: 4,
  Multiline: 8,
  Literal: 16,
  Dotall: 32,
  UnicodeCase: 64,
  CanonEq: 128,
  UnicodeCharacterClass: 256,
} as const

const ALL_FLAGS = 511

/** The flags as the parser has them. Throws ILLEGAL_ARGUMENT for a bit that Java does not know. */
export function checkedFlags(flags: number): number {
  if ((flags & ~ALL_FLAGS) !== 0)
    throw new HBaseError('ILLEGAL_ARGUMENT', `Unknown flag 0x${(flags >>> 0).toString(16)}`)
  return (flags & PatternFlag.UnicodeCharacterClass) === 0 ? flags : flags | PatternFlag.UnicodeCase
}
