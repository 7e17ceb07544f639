// What the journal remembers of rule files: the record of each, and what was read from its versions, in forms that the journal does not look into.
import { key } from './keys.ts'
import type { Records } from './records.ts'
import type { JournalStore } from './store.ts'
import type { Journal, RuleFileKey, RuleFormKind } from './types.ts'

type Part = Pick<Journal, 'saveRuleFile' | 'ruleFile' | 'saveRuleForm' | 'ruleForms'>

const kinds: readonly RuleFormKind[] = ['good', 'broken']

const keyOf = ({ service, project, path }: RuleFileKey) => key('rule file', service, project, path)
const formKeyOf = ({ service, project, path }: RuleFileKey, kind: RuleFormKind) => key('rule form', kind, service, project, path)
const formKeysOf = (file: RuleFileKey) => kinds.map((kind) => formKeyOf(file, kind))

/** The journal's methods for rule files; one that nobody asks for during `keepMs` is forgotten, and its forms with it. */
export function ruleFileRecords(store: JournalStore, records: Records, keepMs: number): Part {
  return {
    saveRuleFile: (file) =>
      store.write({
        put: [{ key: keyOf(file), value: JSON.stringify(file), keepMs }],
        // Of versions that it has no longer.
        remove: kinds
          .filter((kind) => (kind === 'good' ? file.good === null : file.problems.length === 0))
          .map((kind) => formKeyOf(file, kind)),
      }),
    // Who has read the rules asks for the file alone: its forms are kept on for those who have not.
    ruleFile: (file) => records.keptOn(keyOf(file), keepMs, formKeysOf(file)),
    saveRuleForm: (file, kind, form) => store.write({ put: [{ key: formKeyOf(file, kind), value: form, keepMs }] }),
    ruleForms: async (file) => (await store.read(formKeysOf(file))).filter((form) => form !== undefined),
  }
}
