// Merges past the rules, as a part of the insights.
import type { PastMerge, PastMergesResponse } from '../../api/routes/past-rules.ts'
import { mostMerges } from '../../api/routes/past-rules.ts'
import { linkTo, MergeRequestLink } from '../parts/links.tsx'
import { column, List, Part, plain } from './list.tsx'

const columns = [
  plain<PastMerge>('Week', ({ week }) => week),
  plain<PastMerge>('Merge request', (merge) => <MergeRequestLink of={merge} />),
  column<PastMerge>('Merged by', ({ by }) => by || <span class="dim">not known</span>),
  column<PastMerge>('Nearest rule', ({ rule }) => rule),
  column<PastMerge>('Conditions', (merge) => <Conditions of={merge} />, 'wide'),
]

function Conditions({ of: { failed, unknown } }: { of: PastMerge }) {
  return (
    <>
      {failed.map((each) => (
        <div key={each}>{each}</div>
      ))}
      {unknown.map((each) => (
        <div class="dim" key={each}>{`could not be known: ${each}`}</div>
      ))}
    </>
  )
}

export function PastMerges({
  of: { items, complete },
  file,
  query,
}: {
  of: PastMergesResponse
  file: string
  query: Record<string, string>
}) {
  return (
    <Part title="Merges past the rules">
      <p class="dim">
        Merges by somebody other than Bellhop that no rule would have made, with the rule that came closest.{' '}
        <a href={linkTo(file, query)}>Save them as CSV</a>
      </p>
      {!complete && <p class="notice">{`Only the newest ${mostMerges} are shown: choose a project.`}</p>}
      <List of="Merges past the rules" items={items} columns={columns} none="None in these weeks." />
    </Part>
  )
}
