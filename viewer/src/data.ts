/* The data that `routh report` writes into the page; data.schema.json says the same to other readers. */
import { unpackModes } from './packed';
import type { ModeValues, MultiplierValues } from './results';

export type Vector = [number, number, number];
/** Row-major 3 x 3; as an orientation, its columns are the axes in world components. */
export type Matrix3 = [number, number, number, number, number, number, number, number, number];

export interface Share {
  name: string;
  fraction: number;
}

/** A flexible body's nodes, which may be fewer than the model has. */
export interface Flexible {
  body: string;
  /** m, of the round rod of the same polar moment; 0 where it is not known. */
  radius: number;
  /** Where they stand at the operating point, and where they would undeformed. */
  nodes: Vector[];
  undeformed: Vector[];
  /** Of lines: the direction that a beam has at its nodes. */
  along?: Vector[];
  /** Pairs and triples of nodes. */
  lines: number[];
  triangles: number[];
}

/** How the nodes of one flexible body move in a mode. */
export interface FlexibleMotion {
  /** What one is in displacements (m) and in turns (rad). */
  unit: [number, number];
  /** Packed whole numbers: x y z of all displacements, then, for bodies of lines, of all turns; no im: zero. */
  re: string;
  im?: string;
  /** Packed bytes: density of strain energy at the nodes, 255 the largest of the mode. */
  strain?: string;
}

export interface Shares {
  kinetic?: Share[];
  strain?: Share[];
  dissipation?: Share[];
}

export interface Mode extends ModeValues {
  /** Of every marker: displacement re, rotation re, displacement im, rotation im (3 numbers each, world). */
  motion?: number[][];
  /** Of every flexible body, in their order; where there is motion. */
  flexible?: FlexibleMotion[];
  shares?: Shares;
  /** Summed by part; the names are those of parts. */
  part_shares?: Shares;
  path?: ModePath;
  /** It opens joints as it is drawn. */
  parts?: boolean;
}

/** What keeps joints closed at a finite amplitude: added to the mode times `amplitude` where c and s are the swing's parts. */
export interface ModePath {
  amplitude: number;
  /** Of the list of markers: where they are in all. */
  terms: { powers: [number, number]; numbers: number[][] }[];
}

/** Paths as the report packs them: of every term powers of c and s, bits of the numbers that are there, bytes of one. */
export interface PackedPaths {
  /** The terms are times this to the sum of their powers. */
  largest: number;
  markers: number[];
  list: { mode: number; amplitude: number; unit: [number, number]; terms: number[]; data: string }[];
  /** Modes that open joints, and have no path. */
  straight: number[];
}

/** Of the markers `moved`: displacement and rotation, whole numbers of the units (m, rad). */
export interface PackedMotion {
  unit: [number, number];
  re: string;
  im?: string;
}

/** A mode as the report has it. */
export type PackedMode = Omit<Mode, 'motion' | 'shares' | 'part_shares'> & {
  motion?: number[][] | PackedMotion;
  shares?: Record<string, Share[] | number[]>;
  part_shares?: Record<string, number[]>;
};

export interface Marker {
  name: string;
  body: string;
  position: Vector;
  orientation: Matrix3;
  implicit?: boolean;
}

export interface Body {
  name: string;
  mass?: number;
  inertia?: Matrix3;
  shape?: WrittenShape;
}

/** A surface of triangles: x, y, z of its points, and three numbers of points each. */
export interface Mesh {
  points: number[];
  triangles: number[];
}

/** Round shapes stand about their z axis; place and axes are those in the body. */
export interface WrittenShape {
  kind: 'box' | 'cylinder' | 'tube' | 'sphere' | 'capsule' | 'cone' | 'wheel' | 'plate' | 'extrusion' | 'mesh';
  /** Sides; or radius, inner radius of a tube, length; of a mesh 1, or -1 where an axis is reversed. */
  size: number[];
  /** Of an extrusion: x and y of its corners, by turns. */
  outline?: number[];
  /** Its number in Report.meshes, and the point of it that is the shape's origin. */
  mesh?: number;
  origin?: Vector;
  position: Vector;
  orientation: Matrix3;
  color?: string;
}

/* How a joint or a load is drawn, as its type says (src/model/joint_class.h, load_class.h). */
export type Picture = 'plain' | 'pin' | 'sleeve' | 'block' | 'ball' | 'ring' | 'rod' | 'coil' | 'rubber' | 'arrow';

export interface Connection {
  kind: 'joint' | 'load';
  type: string;
  name: string;
  markers: (string | null)[];
  picture?: Picture;
  axis?: Vector | null;
}

export interface OperatingBody {
  name: string;
  position: Vector;
  orientation: Matrix3;
  velocity: Vector;
  angular_velocity: Vector;
}

export interface Reaction {
  name: string;
  type: string;
  force: Vector;
  torque: Vector;
}

export interface Signal {
  name: string;
  kind: 'state' | 'variable' | 'input' | 'output';
  unit: string;
  value: number;
  /** Of states. */
  rate?: number;
}

export interface OperatingPoint {
  type: string;
  time: number;
  residual: number | null;
  at_rest: boolean;
  steady: boolean;
  bodies?: OperatingBody[];
  joints?: Reaction[];
  redundant?: { joint: string; row: string }[];
  signals?: Signal[];
}

/** One eigenvalue of a pair, or a real one, beside what the simulated motion shows. */
export interface Signal {
  name: string;
  unit: string;
}

export interface ResponsePeak {
  antiresonance: boolean;
  hz: number;
  /** null: without bound. */
  magnitude: number | null;
  phase: number | null;
}

export interface ResponseChannel {
  output: number;
  input: number;
  static_gain: number | null;
  static_infinite: boolean;
  largest: number | null;
  largest_hz: number;
  peaks: ResponsePeak[];
  re: number[];
  im: number[];
}

export interface FrequencyResponse {
  inputs: Signal[];
  outputs: Signal[];
  hz: number[];
  line_error: number;
  modes_kept: number;
  modal_difference: number | null;
  channels: ResponseChannel[];
  /** With --psd. */
  random?: { modes: number[]; outputs: { rms: number; mean_square: number; shares: number[]; psd: number[] }[] };
}

export interface SweepBranch {
  branch: number;
  name: string;
  /** Index of the report's mode that it is at the report's own value. */
  mode?: number;
  re: (number | null)[];
  im: (number | null)[];
}

export interface SweepEvent {
  kind: string;
  value: number;
  error: number | null;
  branches: number[];
  eigenvalue: [number | null, number | null];
  order: number;
  gap: number;
  grows: boolean;
  /** Of what is not resolved. */
  of?: string;
}

export interface SweepLine {
  second: number | null;
  values: number[];
  /** Real part, 1/s. */
  largest: (number | null)[];
  /** Of rotation, rad/s. */
  speeds?: (number | null)[];
  /** Which of the values the report itself is of. */
  own?: number;
  without: { value: number; message: string }[];
  branches: SweepBranch[];
  events: SweepEvent[];
}

/** A curve over the swept parameter and the one of the boundaries. */
export interface SweepBoundary {
  kind: string;
  order: number;
  closed: boolean;
  points: { value: number; second: number; error: number | null; second_error: number | null; eigenvalue: [number, number]; turns: boolean }[];
}

export interface Sweep {
  boundary: string | null;
  boundaries: SweepBoundary[];
  parameter: string;
  second: string | null;
  speed: string | null;
  orders: number[];
  interrupted: boolean;
  lines: SweepLine[];
}

export interface VerifiedMode {
  mode: number;
  eigenvalue: [number, number];
  verdict: 'confirmed' | 'not seen' | 'contradicted';
  why: string | null;
  found: [number | null, number | null];
  bar: [number | null, number | null];
  distance: number | null;
  damped_frequency_hz: number;
  found_frequency_hz: number | null;
  frequency_bar_hz: number | null;
  peak_hz: number | null;
}

export interface Verification {
  experiment?: {
    integrator: string; duration: number; samples: number; runs: number; amplitude: number; even: number; odd: number; resolution_hz: number;
    below_hz?: number | null; faster?: number;
  };
  confirmed: number;
  not_seen: number;
  contradicted: number;
  modes: VerifiedMode[];
  spectrum?: { step_hz: number; amplitude: number[] };
}

/** A Floquet multiplier, or of a pair the one above. */
export type Multiplier = MultiplierValues;

export interface Floquet {
  period: number;
  autonomous: boolean;
  closure: number;
  steps: number;
  error: number;
  liouville: number | null;
  largest: number;
  verdict: 'stable' | 'unstable' | 'neither';
  switches: { element: string; what: string; times: number; time: number }[];
  modes: Multiplier[];
}

/** A change of an eigenvalue, or the part that a term or a parameter has in it. */
export interface Shift {
  eigenvalue: [number, number] | null;
  undamped_frequency_hz: number | null;
  damping_ratio: number | null;
}

export type ShiftPart = Shift & { term?: string; parameter?: string };

export interface ComparedPair {
  first: { number: number; eigenvalue: [number, number] };
  second: { number: number; eigenvalue: [number, number] };
  overlap: number;
  change: Shift;
  /** The largest parts, the largest first. */
  parts: ShiftPart[];
  by_parameter?: ShiftPart[];
}

export interface Comparison {
  title: string;
  file: string;
  parameters: { name: string; first: number; second: number }[];
  /** Numbers of modes of each that have no partner. */
  alone: [number[], number[]];
  pairs: ComparedPair[];
}

export type Verdict = 'yes' | 'no' | 'cannot tell';

/** One coordinate set by one method, beside the reference. */
export interface CheckCell {
  coordinates: string;
  method: string;
  state: 'reference' | 'compared' | 'refused' | 'failed' | 'left out';
  verdict?: Verdict;
  margin?: number | null;
  difference?: number | null;
  why: string | null;
}

export interface Check {
  verdict: Verdict;
  count: { bodies: number; joint_rows: number; motion_rows: number; gruebler: number };
  degrees_of_freedom: number;
  degrees_of_freedom_nearby: number;
  redundant: { joint: string; row: string }[];
  distance_from_singularity: number | null;
  constraint_error: number;
  residual: number;
  answers: { name: string; verdict: Verdict; margin: number | null; text: string }[];
  cells: CheckCell[];
}

/** What a parameter does to a mode: derivatives, and effects without units. */
export interface ParameterEffect {
  parameter: string;
  value: number | null;
  undamped_frequency_hz: number | null;
  damping_ratio: number | null;
  frequency_effect: number | null;
  damping_effect: number | null;
}

export interface Sensitivity {
  warnings: string[];
  modes: { mode: number; number: number; multiplicity: number; by: ParameterEffect[] }[];
}

export interface Report {
  program: string;
  title: string;
  description?: string;
  file?: string;
  coordinates: string;
  method: string;
  reference: string;
  gravity?: Vector;
  degrees_of_freedom: { position: number; velocity: number; control?: number };
  operating_point: OperatingPoint;
  warnings?: string[];
  parameters?: { name: string; value: number }[];
  states?: { name: string; unit: string; frame: string }[];
  bodies: Body[];
  meshes?: Mesh[];
  markers: Marker[];
  connections?: Connection[];
  flexible?: Flexible[];
  /** Markers that packed motions are of: bodies, and what is on flexible ones. */
  moved?: number[];
  /** What packed shares are of. */
  share_names?: string[];
  /** What packed shares of parts are of, those around others before them. */
  part_names?: string[];
  modes: Mode[];
  /** What `routh modes --csv` prints of them. */
  modes_csv: string;
  /** Of modes whose joints would open. */
  paths?: PackedPaths;
  /** With `routh report --response`. */
  response?: FrequencyResponse;
  /** With `routh report --sweep`. */
  sweep?: Sweep;
  /** With `routh report --floquet`. */
  floquet?: Floquet;
  /** With `routh report A B` or `--versus`. */
  comparison?: Comparison;
  /** With `routh report --sensitivity`. */
  sensitivity?: Sensitivity;
  /** With `routh report --verify`. */
  verification?: Verification;
  /** With `routh report --check`. */
  check?: Check;
}

const required: (keyof Report)[] = ['operating_point', 'degrees_of_freedom', 'bodies', 'markers', 'modes', 'modes_csv'];

/** Read the data element of the page; throws an Error with a sentence for the reader when it cannot. */
export function readReport(page: Document): Report {
  const element = page.getElementById('routh-data');
  if (element === null) {
    throw new Error('This page holds no data. It is the empty form that `routh report` fills in.');
  }
  let data: unknown;
  try {
    data = JSON.parse(element.textContent);
  } catch {
    throw new Error('The data of this page cannot be read: the file is damaged. Write it again with `routh report`.');
  }
  if (typeof data !== 'object' || data === null) {
    throw new Error('The data of this page is not a report of routh.');
  }
  for (const key of required) {
    if (!(key in data)) {
      throw new Error(`The data of this page is not complete: it has no "${key}".`);
    }
  }
  const report = data as Omit<Report, 'modes'> & { modes: PackedMode[] };
  return { ...report, modes: unpackModes(report) };
}
