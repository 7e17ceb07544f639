// `bellhop check --online`: warns of names unknown to the service or the operator, and of facts it does not show.
import { policyFor } from '../../rules/language/policy.ts'
import { mentionsIn } from '../../rules/lint/named-references.ts'
import { tierFactsIn } from '../../rules/lint/probable-mistakes.ts'
import { placed } from '../../rules/lint/warnings.ts'
import { chatsHere } from '../chats/chats-file.ts'
import { connect, orUserError, projectNamed } from '../service/connect.ts'
import type { ConnectionFlags } from '../service/service-options.ts'
import { UsageError } from '../user-error.ts'
import type { CheckedFile } from './checked-file.ts'
import { unknownNames } from './known-names.ts'
import { factsNotShown } from './shown-facts.ts'

interface OnlineFlags extends ConnectionFlags {
  project?: string
}

/** Adds the warnings. Throws UserError without a project, or if the service fails. */
export async function askService(files: readonly CheckedFile[], flags: OnlineFlags): Promise<CheckedFile[]> {
  const { project: named } = flags
  if (named === undefined) throw new UsageError('--online needs --project, whose labels and milestones are checked.')
  const client = connect(flags)
  return orUserError(async () => {
    const { project, path } = await projectNamed(client, named)
    const chats = await chatsFor(path)
    const asked: CheckedFile[] = []
    for (const each of files) {
      const lookup = { client, project, chats }
      const findings =
        each.rules === undefined
          ? []
          : [
              ...(await unknownNames(mentionsIn(each.text, each.rules), lookup)),
              ...(await factsNotShown(tierFactsIn(each.text), lookup)),
            ]
      asked.push({ ...each, warnings: [...each.warnings, ...placed(each.text, each.file, findings)] })
    }
    return asked
  })
}

/** The chats that the project may use; undefined if this machine does not know them. */
async function chatsFor(path = ''): Promise<string[] | undefined> {
  return policyFor(path, [], { mode: 'act', newRuleLimit: 0, chats: await chatsHere(process.env) }).chats
}
