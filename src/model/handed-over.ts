/**
 * A large value that goes from one function to the next and is freed as soon as the last of them lets go of it. A function that waits keeps
 * all that its parameters and variables refer to until it ends: so each of them has this in place of the value.
 */
export class HandedOver<Value> {
  #value: Value | undefined

  constructor(value: Value) {
    this.#value = value
  }

  /** The value, which stays here. Throws where it was taken. */
  get value(): Value {
    if (this.#value === undefined) throw new Error('a value was handed over and is asked for again')
    return this.#value
  }

  /** The value, which is the caller's alone from now on. Throws where it was taken. */
  take(): Value {
    const { value } = this
    this.#value = undefined
    return value
  }
}
