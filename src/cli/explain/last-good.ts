// The last version without problems of a repository's rule files, which stays in force while the newest is broken.
import type { RulesResponse } from '../../admin/api/routes/rules.ts'
import { type FileText, fileAt } from '../../bot/rule-files/read-rule-file.ts'
import { repositoryRulePath } from '../../bot/rule-files/rule-records.ts'
import type { Client } from '../../client/create-client.ts'
import { readRules } from '../../rules/language/documents/rule-document.ts'
import { createAdminClient } from '../admin/admin-client.ts'
import type { RunningBotFlags } from '../admin/running-bot.ts'

/** By the path of the file. */
export type LastGood = ReadonlyMap<string, FileText>
export type FindLastGood = (client: Client, project: number) => Promise<LastGood>

const MOST_VERSIONS = 20

/** As the running bot has it, or from the history of `.bellhop.yml`. */
export function lastGoodOf({ bellhop, bellhopToken, service }: RunningBotFlags): FindLastGood {
  if (bellhop === undefined) return lastGoodInHistory
  const admin = createAdminClient({ url: bellhop, token: bellhopToken, service })
  return async (_client, project) => {
    const { files } = (await admin.get(`/rules/${project}`)) as RulesResponse
    return new Map(
      files.flatMap(({ path, blob, text }) => (blob === null || text === undefined ? [] : [[path, { blob, text }]])),
    )
  }
}

async function lastGoodInHistory(client: Client, project: number): Promise<LastGood> {
  const path = repositoryRulePath
  const { body: commits } = await client.repository.commits.list({ id: project, path, per_page: MOST_VERSIONS })
  for (const { id } of commits) {
    const file = id === undefined ? null : await fileAt(client, project, path, id)
    if (file !== null && readRules(file.text, path, { trust: 'repository' }).ok) return new Map([[path, file]])
  }
  return new Map()
}
