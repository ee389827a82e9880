// The tables of the requests that were recorded from a real node: how many of them the simulator answers in the same form.

interface Case {
  /** The name of its file: the operation, or `transport`. */
  of: string
  case: string
}

/** One row for each operation, and one for the transport. `differing` are those that are answered otherwise. */
export function recordedTable(cases: readonly Case[], differing: readonly (Case & { why: string })[]): string {
  const [all, same] = [cases.length, cases.length - differing.length]
  return tableOf([...rowsOf(cases, differing), `| all | ${all} | ${same} | |`])
}

/**
 * The same of recordings of which some are not put to the simulator. `served` are the methods that it serves: what is
 * served and not replayed must not pass for what is not served.
 */
export function beyondTable(
  cases: readonly Case[],
  differing: readonly (Case & { why: string })[],
  replayed: readonly string[],
  served: readonly string[],
): string {
  const put = cases.filter(({ of }) => replayed.includes(of))
  const others = Map.groupBy(
    cases.filter(({ of }) => !replayed.includes(of)),
    ({ of }) => of,
  )
  const rows = [...others].map(
    ([of, all]) => `| \`${of}\` | ${all.length} | | ${served.includes(of) ? 'not compared' : 'not served'} |`,
  )
  const same = `${put.length - differing.length} of ${put.length}`
  return tableOf([...rowsOf(put, differing), ...rows, `| all | ${cases.length} | ${same} | |`])
}

function rowsOf(cases: readonly Case[], differing: readonly (Case & { why: string })[]): string[] {
  return [...Map.groupBy(cases, ({ of }) => of)].map(([of, all]) => {
    const others = differing.filter((one) => one.of === of)
    const reasons = [...Map.groupBy(others, ({ why }) => why)].map(
      ([why, same]) => `${same.map((one) => one.case).join(', ')}: ${why}`,
    )
    return `| \`${of}\` | ${all.length} | ${all.length - others.length} | ${reasons.join('; ')} |`
  })
}

function tableOf(rows: readonly string[]): string {
  return ['| operation | cases | same | differing |', '|---|---|---|---|', ...rows].join('\n')
}
