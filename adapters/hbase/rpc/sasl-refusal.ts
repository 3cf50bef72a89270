import { readInt32 } from '../../../src/model/bytes.ts'

/** HBase: SaslStatus.ERROR, which a reader of frames takes for the length of a frame. */
const ERROR_LENGTH = 1
/** HBase: SaslStatus.SUCCESS. Only SaslUtil.SWITCH_TO_SIMPLE_AUTH can follow it at this point: the server takes no login. */
const SUCCESS_LENGTH = 0
/** The beginning of a Java class, without which the bytes are no text. */
const CLASSES = /^(?:org\.apache\.hadoop|javax\.security\.sasl)\./
const WITHOUT_WORDS = 'the server does not let the user in'
const WITHOUT_LOGINS = 'the server takes no passwords: connect without a login'

/** The server's refusal of the password; undefined where the frame is no SASL message. */
export function saslRefusal(buffer: Buffer, start: number, end: number): string | undefined {
  if (end - start === SUCCESS_LENGTH) return WITHOUT_LOGINS
  return end - start === ERROR_LENGTH ? errorText(buffer, start) : undefined
}

/** True where a server that requires a login may accept a password. Tidegate's refusal names the logins that it accepts; HBase's does not. */
export function mayTakePasswords(refusal: string): boolean {
  return !refusal.includes('Authentication is required: ') || refusal.includes('a user and a password')
}

/**
 * The message of `error i32 | class | message`, where each text follows its int32 length. `start` is after the first number. Some of the bytes may
 * not have arrived.
 */
function errorText(buffer: Buffer, start: number): string {
  const [javaClass, message] = textsFrom(buffer, start)
  return javaClass !== undefined && CLASSES.test(javaClass) && message !== undefined ? message : WITHOUT_WORDS
}

function textsFrom(buffer: Buffer, start: number): string[] {
  const texts: string[] = []
  for (let at = start; texts.length < 2 && at + 4 <= buffer.length; ) {
    const end = at + 4 + readInt32(buffer, at)
    if (end < at + 4 || end > buffer.length) break
    texts.push(buffer.toString('utf8', at + 4, end))
    at = end
  }
  return texts
}
