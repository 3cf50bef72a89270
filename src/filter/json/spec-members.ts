import { HBaseError } from '../../model/errors.ts'
import { characterAt } from '../schema/text-position.ts'
import { decodeJavaBase64 } from './base64-text.ts'

/** Takes members from the objects of one text; an error names the place of the object that lacks one. */
export class SpecMembers {
  readonly #text: Buffer

  constructor(text: Buffer) {
    this.#text = text
  }

  /** Throws ILLEGAL_ARGUMENT. */
  refuse(spec: { readonly at: number }, expected: string): never {
    const character = characterAt(this.#text, spec.at)
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `malformed filter: expected ${expected} in the object at character ${character}`,
      { detail: { offset: spec.at, character } },
    )
  }

  needed<Spec extends { readonly at: number }, Name extends keyof Spec & string>(
    spec: Spec,
    name: Name,
  ): NonNullable<Spec[Name]> {
    return spec[name] ?? this.refuse(spec, `a member "${name}"`)
  }

  /** A string that is one of several words. */
  word<Name extends string, Word extends string>(
    spec: { readonly at: number } & { readonly [Key in Name]?: string | undefined },
    name: Name,
    words: readonly Word[],
  ): Word {
    const stated: string | undefined = spec[name]
    const word = words.find((candidate) => candidate === stated)
    return word ?? this.refuse(spec, `one of ${words.join(', ')} as "${name}"`)
  }

  /** Bytes in a member that Java decodes. */
  bytes<Name extends string>(
    spec: { readonly at: number } & { readonly [Key in Name]?: string | undefined },
    name: Name,
  ): Buffer {
    return decodeJavaBase64(spec[name]) ?? this.refuse(spec, `base64 as "${name}"`)
  }
}
