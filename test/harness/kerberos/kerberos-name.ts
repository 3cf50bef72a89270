/** Asks Hadoop's own KerberosName for the users of principals. It needs Java and the jars of a real HBase. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Rules, and principals to apply them to. */
export interface RuleCase {
  readonly rules: string
  readonly mechanism: 'hadoop' | 'mit'
  readonly principals: readonly string[]
}

/** The user of each principal, null where KerberosName throws; null instead of all where it throws for the rules. */
export type RuleAnswer = readonly (string | null)[] | null

/** The default realm of the program. */
export const DEFAULT_REALM = 'EXAMPLE.COM'

/** Hadoop 2 has the mechanism `hadoop` alone, and no method to set it. */
const PROGRAM = `
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.apache.hadoop.security.authentication.util.KerberosName;

public class AskKerberosName {
  static String text(String word) {
    return new String(Base64.getDecoder().decode(word.substring(1)), StandardCharsets.UTF_8);
  }
  public static void main(String[] arguments) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; ) {
      String[] words = line.split(" ");
      try {
        KerberosName.setRules(text(words[1]));
      } catch (RuntimeException e) {
        System.out.println("invalid");
        continue;
      }
      try {
        KerberosName.class.getMethod("setRuleMechanism", String.class).invoke(null, words[0]);
      } catch (NoSuchMethodException e) {
        if (!words[0].equals("hadoop")) throw e;
      }
      StringBuilder answers = new StringBuilder("valid");
      for (int i = 2; i < words.length; i++) {
        answers.append(' ');
        try {
          String user = new KerberosName(text(words[i])).getShortName();
          answers.append('=').append(Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException | RuntimeException e) {
          answers.append('!');
        }
      }
      System.out.println(answers);
    }
  }
}
`

/** `classPath`: jars of hadoop-auth and of what it needs. */
export function askKerberosName(classPath: string, cases: readonly RuleCase[]): readonly RuleAnswer[] {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-kerberos-name-'))
  try {
    const program = join(folder, 'AskKerberosName.java')
    writeFileSync(program, PROGRAM)
    const lines = cases.map(({ rules, mechanism, principals }) =>
      [mechanism, ...[rules, ...principals].map(word)].join(' '),
    )
    // Hadoop 2 asks a class of the JDK for the default realm.
    const open = ['--add-exports', 'java.security.jgss/sun.security.krb5=ALL-UNNAMED']
    const realm = [`-Djava.security.krb5.realm=${DEFAULT_REALM}`, '-Djava.security.krb5.kdc=localhost']
    const output = execFileSync('java', ['-cp', classPath, ...open, ...realm, program], {
      input: `${lines.join('\n')}\n`,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    })
    return output.trimEnd().split('\n').map(answerOf)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function word(text: string): string {
  return `:${Buffer.from(text).toString('base64')}`
}

function answerOf(line: string): RuleAnswer {
  const [validity, ...answers] = line.split(' ')
  if (validity === 'invalid') return null
  return answers.map((answer) =>
    answer === '!' ? null : Buffer.from(answer.slice(1), 'base64').toString('utf8'),
  )
}
