// A first rule file out of a few answers: short, and every line of it says what it does.

export interface Wishes {
  /** Globs of files; merge requests that change nothing else are labelled. */
  documentation?: string
  /** User names of the bots that update dependencies; theirs are merged when green. */
  dependencyBots: readonly string[]
  /** `@bellhop merge` in a comment. */
  mergeOnRequest: boolean
  /** The project has pipelines. */
  pipelines: boolean
}

/** The file's text. `schema` is where an editor finds the JSON Schema. */
export function firstRules({ documentation, dependencyBots, mergeOnRequest, pipelines }: Wishes, schema: string): string {
  const accept = pipelines ? '' : ', pipeline: none'
  const rules: string[] = []
  if (documentation !== undefined)
    rules.push(`  - name: label documentation
    if: { changed_files: { all: ${quoted(documentation)} } }
    then: { label: { add: documentation } }
`)
  if (dependencyBots.length > 0)
    rules.push(`  - name: merge dependency updates${pipelines ? ' when green' : ''}
    if:
      author: [${dependencyBots.map(quoted).join(', ')}]
      pushed_by: { all: [${dependencyBots.map(quoted).join(', ')}] }
      labels: { none: [hold] }
      draft: false${pipelines ? '\n      pipeline: success' : ''}
    then:
      approve: true
      accept: { remove_source_branch: true${accept} }
`)
  if (mergeOnRequest)
    rules.push(`  - name: merge on request
    # A Maintainer writes "@bellhop merge" into a comment (the name is that of Bellhop's user).
    on: note.create
    command: merge
    then: { accept: ${pipelines ? '{ when: pipeline_succeeds }' : '{ pipeline: none }'} }
`)
  return `# yaml-language-server: $schema=${schema}
#
# What Bellhop does in this project. In force is the file of the default branch.
# bellhop check finds mistakes; bellhop explain PROJECT NUMBER says what the rules decide about a merge request, and why.
version: 1
rules:${rules.length === 0 ? ' []' : `\n${rules.join('\n')}`.trimEnd()}
`
}

/** As YAML takes any text. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
