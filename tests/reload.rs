//! Programs that are loaded while the network is idle: the next collective follows the new one, and a version that was
//! not loaded is a fault.

use metronoc::check::swapped_dragonfly::{CheckedEmbedding, check_all_to_all};
use metronoc::collective::{AllToAll, Collective, Dtype, Words};
use metronoc::cosim::{
    Answer, Build, Job, Lockstep, Optimize, Sources, Start, Top, Verdict, source_vector_parts, status::faults_of,
};
use metronoc::emit::{Origin, RtlBundle};
use metronoc::lower::swapped_dragonfly::{AllToAllLoaded, SlotTables, lower_all_to_all, lower_hosted};
use metronoc::model::{Model, Sections};
use metronoc::program::form::swapped_dragonfly::uniform::{HopLatency, Launch, UniformProgram};
use metronoc::schedule::swapped_dragonfly::{AllToAllRequest, schedule_all_to_all};
use metronoc::spec::{NetworkSpec, Spec};
use metronoc::tool::{Progress, Tool, ensure};
use metronoc::topology::SwappedDragonfly;
use metronoc::topology::swapped_dragonfly::Group;
use std::rc::Rc;

const SPEC: &str = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 1\nm = 2\n[router]\n\
    kind = \"source-vector\"\n[collective]\nkind = \"all-to-all\"\n[schedule]\nstorage = \"ram\"\n";

#[test]
fn a_loaded_program_runs_after_the_swap_and_a_wrong_version_is_a_fault() {
    let spec = Spec::parse("reload.toml", SPEC).unwrap();
    let (network, hop) = (SwappedDragonfly::new(1, 2, Group::Cyclic), HopLatency { local: 1, global: 1 });
    let request = AllToAllRequest::new("best", hop);
    let lowered =
        lower_all_to_all(&check_all_to_all(&network, schedule_all_to_all(&network, &request).unwrap()).unwrap(), &spec)
            .unwrap();
    let p = &lowered.parameters;
    // the same beat, begun two rows later, is another program of the same period
    let launches = lowered.program().launches().iter().map(|l| Launch { row: (l.row + 2) % p.rows, ..*l });
    let other = UniformProgram::new(launches.collect());
    assert_ne!(&other, lowered.program());
    let models = [lowered.program(), &other]
        .map(|program| Rc::new(Model::new(&AllToAllLoaded::new(&lowered, program)).unwrap()));

    let origin = Origin { name: "reload".into(), spec_text: SPEC.into(), command: "metronoc generate".into() };
    let sources = Sources::new(RtlBundle::new(&lowered, &origin).unwrap().files());
    let tools = ensure(&[Tool::Verilator], Progress::Silent).unwrap();
    let parts = source_vector_parts(&lowered).unwrap();
    let built = Build { sources: &sources, parts: &parts, optimize: Optimize::Least, root: None }.run(&tools).unwrap();

    let traffic = AllToAll::new(p.tiles, 1, 1);
    let data = traffic.random(Dtype::Uint32, 3).unwrap();
    let start = |model: &Rc<Model>| Start {
        model: Rc::clone(model),
        payloads: vec![Rc::new(model.payload(&traffic, &data, 0))],
        count: 2,
    };
    let mut top = Top::new(&built, p).unwrap();
    let mut lockstep = Lockstep::new(&mut top, &models[0], Some(Sections::All));
    lockstep.queue(Job::Load(data.to_vec()));
    lockstep.start(start(&models[0]));
    lockstep.queue(Job::Drain);
    lockstep.queue(Job::Program(SlotTables::new(p, &other).pieces(p, 7)));
    lockstep.queue(Job::Swap(7));
    lockstep.start(start(&models[1]));
    lockstep.queue(Job::Drain);
    lockstep.queue(Job::Status);
    assert_eq!(lockstep.run().unwrap(), Verdict::Agreed);
    let drained = Answer::Drained(traffic.expected(&data).to_vec());
    let answers = lockstep.answers();
    assert_eq!(&answers[..2], [drained.clone(), drained]);
    let [_, _, Answer::Status(status)] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!(faults_of(&p.frame, status), []);

    // nothing was loaded since: the old program goes on, and every router says so
    lockstep.queue(Job::Swap(9));
    lockstep.start(start(&models[1]));
    lockstep.queue(Job::Status);
    assert_eq!(lockstep.run().unwrap(), Verdict::Agreed);
    let [Answer::Status(status)] = &lockstep.answers()[..] else { panic!("no status") };
    let found = faults_of(&p.frame, status);
    assert_eq!(found.len(), p.tiles as usize);
    assert!(found.iter().all(|fault| fault.kind == "a program that was not loaded was asked for"), "{found:?}");

    // cleared, it is no fault any more: the network runs on and says nothing
    lockstep.queue(Job::Clear);
    lockstep.start(start(&models[1]));
    lockstep.queue(Job::Status);
    assert_eq!(lockstep.run().unwrap(), Verdict::Agreed);
    let [Answer::Status(status)] = &lockstep.answers()[..] else { panic!("no status") };
    assert_eq!(faults_of(&p.frame, status), []);

    // the model of the program that no longer runs does not agree
    lockstep.start(start(&models[0]));
    assert!(matches!(lockstep.run().unwrap(), Verdict::Differed(_)));
}

/// A network with reloadable tables, and the same specification without a router that has broken.
const BUILT: &str =
    "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 3\n[schedule]\nstorage = \"ram\"\n";
const BROKEN: &str = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 3\nexclude = [[1, 0, 2]]\n\
    build = \"host\"\n[schedule]\nstorage = \"ram\"\nrows = 12\n";

#[test]
#[ignore = "a host of 18 routers in Verilator; .ci/run includes it"]
fn a_network_already_built_goes_on_without_a_broken_router() {
    let [built, broken] = [BUILT, BROKEN].map(|text| Spec::parse("s.toml", text).unwrap());
    let hop = HopLatency { local: 1, global: 1 };
    let proved = |spec: &Spec| {
        let NetworkSpec::SwappedDragonfly(sizes) = &spec.network else { panic!("no Swapped Dragonfly") };
        let net = sizes.guest();
        let schedule = schedule_all_to_all(&net, &AllToAllRequest::new("best", hop)).unwrap();
        (check_all_to_all(&net, schedule).unwrap(), CheckedEmbedding::new(sizes.embeddings()).unwrap())
    };
    let whole = lower_all_to_all(&proved(&built).0, &built).unwrap();
    let (schedule, embedding) = proved(&broken);
    let part = lower_hosted(&schedule, &embedding.unwrap(), &broken).unwrap();
    let (p, guests) = (&whole.parameters, part.guests.as_ref().unwrap());
    assert_eq!(p, &part.parameters, "it is the same hardware");
    assert_eq!((guests.members(0).len(), guests.network(11.into())), (9, None));

    let origin = Origin { name: "built".into(), spec_text: BUILT.into(), command: "metronoc generate".into() };
    let sources = Sources::new(RtlBundle::new(&whole, &origin).unwrap().files());
    let tools = ensure(&[Tool::Verilator], Progress::Silent).unwrap();
    let parts = source_vector_parts(&whole).unwrap();
    let built = Build { sources: &sources, parts: &parts, optimize: Optimize::Least, root: None }.run(&tools).unwrap();

    let models = [&whole, &part].map(|lowered| Rc::new(Model::new(lowered).unwrap()));
    let data = [p.tiles, 9].map(|nodes| AllToAll::new(nodes, 1, 1).random(Dtype::Uint32, 3).unwrap());
    // to the host the words of the guest are among those of all routers
    let mut load = vec![0; (p.tiles * p.tiles) as usize];
    models[1].places().unwrap().iter().enumerate().for_each(|(i, &place)| load[place] = data[1].get(i));
    let all = [data[0].clone(), Words::from_fn(Dtype::Uint32, load.len(), |i| load[i])];
    let traffic = AllToAll::new(p.tiles, 1, 1);
    let payloads = [0, 1].map(|i| Rc::new(models[i].payload(&traffic, &all[i], 0)));
    let start = |i: usize| Start { model: Rc::clone(&models[i]), payloads: vec![Rc::clone(&payloads[i])], count: 2 };
    let mut top = Top::new(&built, p).unwrap();
    let mut lockstep = Lockstep::new(&mut top, &models[0], Some(Sections::All));
    lockstep.queue(Job::Load(data[0].to_vec()));
    lockstep.start(start(0));
    lockstep.queue(Job::Drain);
    for node in 0..p.tiles as usize {
        let tables = guests.tables(node).unwrap_or(&part.tables);
        lockstep.queue(Job::RouterProgram(node as u32, tables.pieces(p, 1)));
    }
    lockstep.queue(Job::Swap(1));
    lockstep.queue(Job::Load(load));
    lockstep.start(start(1));
    lockstep.queue(Job::Drain);
    lockstep.queue(Job::Status);
    assert_eq!(lockstep.run().unwrap(), Verdict::Agreed);
    let answers = lockstep.answers();
    let [Answer::Drained(first), Answer::Drained(second), Answer::Status(status)] = &answers[..] else {
        panic!("{answers:?}")
    };
    assert_eq!(first, &traffic.expected(&data[0]).to_vec());
    let received: Vec<u64> = models[1].places().unwrap().iter().map(|&place| second[place]).collect();
    assert_eq!(received, AllToAll::new(9, 1, 1).expected(&data[1]).to_vec());
    assert_eq!(faults_of(&p.frame, status), []);

    // the whole program is no longer what runs
    lockstep.start(start(0));
    assert!(matches!(lockstep.run().unwrap(), Verdict::Differed(_)));
}
