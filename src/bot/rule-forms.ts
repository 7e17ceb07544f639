// What was read from rule files, for all processes of one Bellhop: it lies in the journal under a seal that nobody else can make (docs/decisions/0033).
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { Journal } from '../journal/types.ts'
import { formOf, readForm } from '../rules/rule-form.ts'
import type { ReadRules } from '../rules/types.ts'

/** One version of a repository's rule file, or of one that it includes. */
export interface RuleFileVersion {
  project: number
  path: string
  text: string
  included: boolean
}

export interface RuleForms {
  /** What another process, or one before, has read from this very text; undefined where none has. Throws what the journal throws. */
  find(version: RuleFileVersion): Promise<ReadRules | undefined>
  /** Keeps what was read, in the place of an earlier version's; what has no form is not kept. */
  keep(version: RuleFileVersion, read: ReadRules): Promise<void>
}

/** With whom what was read is shared: with whoever has the same of both. */
export interface Sharing {
  /** As it is now; where it is empty, nothing is shared. */
  secret: () => string
  /** Names the code that reads, and all that it runs on: another one may read the same text otherwise. */
  code: string
}

export interface RuleFormsOptions extends Sharing {
  service: string
  journal: Pick<Journal, 'ruleForms' | 'saveRuleForm'>
  log: Logger
}

/** What a secret and a code come to. */
interface Sealing {
  secret: string
  key: Buffer
  /** Tells whose a form is: that of others is not looked at. */
  mark: string
}

export function createRuleForms({ service, journal, secret, code, log }: RuleFormsOptions): RuleForms {
  let last: Sealing | undefined

  /** Undefined: there is no secret, so whoever can write to the store could make a seal. */
  function sealing(): Sealing | undefined {
    const now = secret()
    if (now === '') return undefined
    if (last?.secret === now) return last
    const key = Buffer.from(hkdfSync('sha256', now, '', `bellhop: what the code ${code} read from rule files`, 32))
    last = { secret: now, key, mark: mac(key, 'mark').toString('hex') }
    return last
  }

  return {
    async find({ project, path, ...version }) {
      const own = sealing()
      if (own === undefined) return undefined
      const name = nameOf({ path, ...version })
      for (const kept of await journal.ruleForms({ service, project, path })) {
        const [head = '', form = ''] = halves(kept)
        const [mark, of, seal = ''] = head.split(' ')
        // Another Bellhop's, or another version's.
        if (mark !== own.mark || of !== name) continue
        if (fits(seal, sealOf(own, name, form))) return readForm(form)
        // Fails closed: the text says what is so, and what is read from it takes the place of this.
        log.warn(
          { event: 'rule form refused', project, path },
          'what the journal says was read from a rule file is not as Bellhop wrote it: the file is read anew',
        )
      }
      return undefined
    },
    async keep({ project, path, ...version }, read) {
      const own = sealing()
      const form = own === undefined ? undefined : formOf(read)
      if (own === undefined || form === undefined) return
      const name = nameOf({ path, ...version })
      const sealed = `${own.mark} ${name} ${sealOf(own, name, form).toString('hex')}\n${form}`
      await journal.saveRuleForm({ service, project, path }, read.ok ? 'good' : 'broken', sealed)
    },
  }
}

/** What a form is of: all that its meaning rests on, but for the code. As JSON no two texts are the same bytes. */
function nameOf({ path, text, included }: Omit<RuleFileVersion, 'project'>): string {
  return createHash('sha256')
    .update(JSON.stringify(['repository', included, path, text]))
    .digest('hex')
}

const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const sealOf = ({ key }: Sealing, name: string, form: string) => mac(key, `form ${name} ${form}`)

function fits(seal: string, expected: Buffer): boolean {
  const given = Buffer.from(seal, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Before and after the first line's end. */
function halves(text: string): [string, string] {
  const end = text.indexOf('\n')
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)]
}
